export { retryAt } from './retry';
