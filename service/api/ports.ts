export * from '../../core/api/ports';
