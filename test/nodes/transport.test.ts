import type { IExecuteFunctions } from 'n8n-workflow';
import { sendWith } from '../../nodes/shared/transport';
import { getBrief } from '../../service/api/operations';

it('an answer that n8n has parsed, as some versions do, is read as it was', async () => {
	const connection = { baseUrl: 'https://api.example.com/v1', apiKey: 'secret-key' };
	const answer = { statusCode: 200, headers: {}, body: { data: [] } };
	const context = {
		getCredentials: () => Promise.resolve(connection),
		helpers: { httpRequestWithAuthentication: () => Promise.resolve(answer) },
	} as unknown as IExecuteFunctions;
	const expected = { status: 200, headers: {}, body: '{"data":[]}' };
	expect(await sendWith(context, connection)(getBrief('x'))).toEqual(expected);
});
