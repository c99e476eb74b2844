class ProbeApi {
	name = 'probeApi';
	displayName = 'Probe API';
	properties = [
		{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: '' },
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
		},
	];
	authenticate = {
		type: 'generic',
		properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
	};
	test = { request: { baseURL: '={{$credentials.baseUrl}}', url: '/probe' } };
}
module.exports = { ProbeApi };
