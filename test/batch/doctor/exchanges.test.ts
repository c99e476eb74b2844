import { recordingGets, type Exchange } from '../../../batch/doctor/exchanges';
import { createBrief, listLicences } from '../../../service/operations';
import { SendFailure, type Send } from '../../../service/ports';

const KEY = '6e1f0c22-7d41-4c52-9f3e-0a6f2b7c9d10';
const clock = { now: () => 0 };

test('doctor lets no order through, whoever sends one', async () => {
	const sent: string[] = [];
	const send: Send = ({ method }) => {
		sent.push(method);
		return Promise.resolve({ status: 200, headers: {}, body: '{}' });
	};
	const gets = recordingGets(send, clock, []);
	await expect(gets(createBrief({ product_name: 'Glow Serum' }, KEY))).rejects.toThrow('no POST');
	await gets(listLicences());
	expect(sent).toEqual(['GET']);
});

test('doctor keeps what was answered, also where it is no JSON or nothing came', async () => {
	const log: Exchange[] = [];
	const answering = (send: Send) => recordingGets(send, clock, log)(listLicences());
	await answering(() => Promise.resolve({ status: 200, headers: {}, body: '<html>' }));
	const failure = new SendFailure('no', false, 'ENOTFOUND');
	await expect(answering(() => Promise.reject(failure))).rejects.toBe(failure);
	expect(log).toMatchObject([
		{ status: 200, body: undefined, failure: null },
		{ status: null, failure: { code: 'ENOTFOUND' } },
	]);
});
