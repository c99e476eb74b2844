import type { ApiSession } from './api-session';

type Row = Record<string, unknown>;

/** A data table of n8n, by the REST interface of the editor. */
export class DataTable {
	private constructor(
		private readonly session: ApiSession,
		private readonly path: string,
	) {}

	/** Creates a table in the owner's project. n8n adds the columns id, createdAt and updatedAt. */
	static async create(
		session: ApiSession,
		name: string,
		columns: Array<{ name: string; type: 'string' | 'boolean' }>,
	): Promise<DataTable> {
		const project = await session.get<{ id: string }>('/rest/projects/personal');
		const tables = `/rest/projects/${project.id}/data-tables`;
		const { id } = await session.post<{ id: string }>(tables, { name, columns });
		return new DataTable(session, `${tables}/${id}`);
	}

	async insert(rows: Row[]): Promise<void> {
		await this.session.post(`${this.path}/insert`, { data: rows, returnType: 'count' });
	}

	/** Changes the row with this ID. */
	async update(id: unknown, data: Row): Promise<void> {
		const filters = [{ columnName: 'id', condition: 'eq', value: id }];
		const body = { filter: { type: 'and', filters }, data, returnData: false };
		await this.session.request('PATCH', `${this.path}/rows`, body);
	}

	/** Returns all rows, oldest first. */
	async rows(): Promise<Row[]> {
		const query = { take: '100', sortBy: 'id:asc' };
		return (await this.session.get<{ data: Row[] }>(`${this.path}/rows`, query)).data;
	}
}
