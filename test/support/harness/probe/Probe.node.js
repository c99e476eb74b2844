class Probe {
	description = {
		displayName: 'Probe',
		name: 'probe',
		group: ['transform'],
		version: 1,
		description: 'Tells which key a request was sent with',
		defaults: { name: 'Probe' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'probeApi', required: true }],
		properties: [
			{
				displayName: 'Thing',
				name: 'thing',
				type: 'resourceLocator',
				default: { mode: 'list', value: '' },
				modes: [
					{
						displayName: 'From List',
						name: 'list',
						type: 'list',
						typeOptions: { searchListMethod: 'searchThings', searchable: true },
					},
				],
			},
		],
	};

	methods = {
		listSearch: {
			async searchThings(filter, paginationToken) {
				const first = paginationToken ? 2 : 1;
				return {
					results: [{ name: `${filter ?? 'any'} ${first}`, value: String(first) }],
					paginationToken: paginationToken ? undefined : 'next',
				};
			},
		},
	};

	async execute() {
		const { baseUrl } = await this.getCredentials('probeApi');
		const json = await this.helpers.httpRequestWithAuthentication.call(this, 'probeApi', {
			url: `${baseUrl}/probe`,
			json: true,
		});
		return [[{ json, pairedItem: { item: 0 } }]];
	}
}
module.exports = { Probe };
