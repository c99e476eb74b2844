import type { BriefInput } from '../../../service/api/resources';

/** A row of a golden CSV: held up because something in it is wrong, or with all that must never change about it. */
type GoldenRow = { number: number } & (
	{ refused: true } | { id: string; key: string; input: BriefInput }
);

export interface GoldenCsv {
	/** In csv/ beside this file. */
	file: string;
	/** The start of the SHA-256 of the file, which shows whether the fixture is damaged or the code changed. */
	bytes: string;
	/** As --batch gives it; without it the batch is named after the file. */
	batch?: string;
	/** As the command line gives them. */
	options?: { encoding?: string; delimiter?: string; map?: string[]; set?: string[] };
	/** All rows, in the order of the file. The keys are those of generation 1. */
	rows: GoldenRow[];
}

const row = (number: number, id: string, key: string, input: BriefInput) => ({
	number,
	id,
	key,
	input,
});

// What more than one row is ordered with.
const MUG: BriefInput = { product_name: 'Mug' };
const CREME: BriefInput = {
	product_name: 'Crème “Ré” 🧴 ｆｕｌｌ',
	objective: 'C:\\sale\tnow\u001f!',
	audience: '日本',
	reference_urls: ['https://video.example.com/c?x=1,2'],
};
const L1: BriefInput = {
	product_name: 'L1',
	reference_urls: ['https://video.example.com/1', 'https://video.example.com/2'],
};
const OIL: BriefInput = { product_name: 'Oil', product_id: '12345' };
const SOAP: BriefInput = { product_name: 'Soap', objective: 'sell' };

/**
 * What each golden CSV means. The inputs were written by hand, from what a person reads in the file. IDs and keys were
 * computed from them by a program of their own (Python's json and hashlib, none of this project's code):
 * - ID: the first 32 hex digits of the SHA-256 of the JSON list of [field, value] pairs, sorted by field, each text in
 *   the spelling in which it is compared;
 * - key: the first 16 bytes of the SHA-256 of the parts "brief-batch", batch, ID and generation, each written
 *   as its length in bytes, a colon, itself and a comma; with the bits of a UUID of version 4 set.
 */
export const GOLDEN_CSVS: GoldenCsv[] = [
	{
		file: 'products.csv',
		bytes: 'caf23fb2ffcc0af4',
		rows: [
			row(2, '4e489797b6356e18529af2ae5fc7a31d', 'f7255910-08bc-48ba-80be-cdf643dae111', {
				product_name: 'Lavender Hand Soap',
				product_id: '1729481234567890123',
				audience: 'Parents, 25–40',
				objective: 'Sell the "refill" pack',
				approved_facts: 'Free of parabens.\nMade in the US.',
				campaign_terms: '20 % until 30 November',
				creative_direction: 'Natural light; no music',
				reference_urls: ['https://video.example.com/a', 'https://video.example.com/b'],
			}),
			row(3, '1341e7d065c95e5b4119303ff585fbf1', '4910548d-9f5a-4296-aede-dae31929a3d2', MUG),
			row(4, 'd9d32b4d8deab418529258f23bbabdcf', '8f33bfa3-7971-48e1-a4c1-f3558702ad24', {
				product_name: '12" Pan',
				product_id: '00012345',
				campaign_terms: '10 %',
			}),
			row(5, '5ce642ae7d8cdaa0a5ba4dd2c5b0f9e6', 'e57f7093-f54f-4d99-bb03-be24de3f7fd0', CREME),
		],
	},
	{
		file: 'products-again.csv',
		bytes: '661447c93f7b8a26',
		batch: 'products.csv',
		rows: [
			row(3, '5ce642ae7d8cdaa0a5ba4dd2c5b0f9e6', 'e57f7093-f54f-4d99-bb03-be24de3f7fd0', CREME),
			row(4, 'd9d32b4d8deab418529258f23bbabdcf', '8f33bfa3-7971-48e1-a4c1-f3558702ad24', {
				product_name: '12" Pan',
				product_id: '00012345',
				campaign_terms: ' 10 %',
			}),
			row(6, '1341e7d065c95e5b4119303ff585fbf1', '4910548d-9f5a-4296-aede-dae31929a3d2', MUG),
			row(7, '4e489797b6356e18529af2ae5fc7a31d', 'f7255910-08bc-48ba-80be-cdf643dae111', {
				product_name: 'Lavender Hand Soap',
				product_id: '1729481234567890123',
				audience: 'Parents, 25–40',
				objective: 'Sell the "refill" pack',
				approved_facts: 'Free of parabens.\nMade in the US.',
				campaign_terms: '20 % until 30 November\r\n',
				creative_direction: 'Natural light; no music',
				reference_urls: ['https://video.example.com/a', 'https://video.example.com/b'],
			}),
		],
	},
	{
		file: 'sep-utf-16be.csv',
		bytes: '4d73016a3b4014af',
		rows: [
			row(2, '44d0d800321be656c0de08c96448edff', 'a19e47d0-b107-4fb7-9375-e2c816192895', {
				product_name: 'Lip Balm, 2 pcs',
				approved_facts: 'Vegan, no scent',
			}),
			row(3, '3ab2228c20e515c2bef00c8c42aa5901', 'a9671b9d-ae66-4869-989b-0717d3b562e2', {
				product_name: 'Lip; Balm',
				approved_facts: '„gut“',
			}),
		],
	},
	{
		file: 'utf-16le-without-mark.csv',
		bytes: '615ed4fbb223b2e0',
		options: { encoding: 'utf-16le' },
		rows: [
			row(2, '6510a81a072af573b6d1cc5fcd18b2e1', '80cd643f-8448-4783-b8ab-93b1c3c27625', {
				product_name: 'Desk Lamp',
				creative_direction: 'Warm light, at dusk',
			}),
			row(3, 'a831eb7f7c63a65181d7415c2f99e54f', '732da8b8-0e49-4387-9306-e69c5b14ca66', {
				product_name: 'Grüne Lampe',
			}),
		],
	},
	{
		file: 'artikel.csv',
		bytes: '2b618a4e4e8acf75',
		options: {
			encoding: 'windows-1252',
			map: ['Artikel=product_name', 'Nummer=product_id', 'ziel-gruppe=audience', 'Name=objective'],
			set: [
				'audience= Everyone',
				'campaign_terms=20 % = net',
				'reference_urls=https://video.example.com/?a=1 | https://video.example.com/b',
			],
		},
		rows: [
			row(2, 'a07d51b0fecccc6b79c10df27ee5132f', 'c905c7d2-d7ba-4120-b2d1-b8627267f052', {
				product_name: 'Handcreme – 30 €',
				product_id: '123456',
				audience: 'Eltern',
				objective: 'Mehr verkaufen',
				campaign_terms: '20 % = net',
				reference_urls: ['https://video.example.com/?a=1', 'https://video.example.com/b'],
			}),
			row(3, '8ffb9d747e624e31be69d95d9fb85aaa', '1e878e86-bcfe-4899-86eb-3d7e668637a8', {
				product_name: 'Fußbad „Öl“',
				audience: 'Everyone',
				campaign_terms: '20 % = net',
				reference_urls: ['https://video.example.com/?a=1', 'https://video.example.com/b'],
			}),
		],
	},
	{
		file: 'mac.csv',
		bytes: 'a37e7313ee96e41b',
		rows: [
			row(2, '16223af2f96d6521db43ca4f31d1e032', '0f1f10b2-468c-41c2-a050-97a8d843be85', {
				product_name: 'Tent',
				product_id: '55555',
				audience: 'Campers',
				objective: 'Sell, sell',
				approved_facts: 'dry | light',
				campaign_terms: 'net; 5 %',
				creative_direction: 'outdoors',
				reference_urls: ['https://video.example.com/t', 'https://video.example.com/u'],
			}),
			row(3, '24f10621b594d5bc8a33e6fee573f728', '10b696be-c645-4e12-b82a-7d8c3e303b5e', {
				product_name: 'Tent\npegs',
			}),
		],
	},
	{
		file: 'bom.csv',
		bytes: '0f95ea12079f161e',
		rows: [
			row(4, 'f368535cdb955a75cd10bf1435a98771', '214b71bc-422c-4cc7-bcbb-2aea5fa62b94', SOAP),
			row(6, '4cad586549ca43fbb5d6da0ebf3d1264', '745ac1f6-b7af-4cde-af28-e3f38b503e4e', {
				product_name: 'Soap',
				objective: 'one\ntwo\nthree\nfour',
			}),
			row(9, 'f368535cdb955a75cd10bf1435a98771', '214b71bc-422c-4cc7-bcbb-2aea5fa62b94', {
				product_name: 'SOAP',
				objective: 'sell',
			}),
			row(10, '8b04dcc35dbf692901fa3ff2793135c0', '50e234e2-e7b8-41c4-8cd0-1639c565b901', {
				product_name: 'Café',
				objective: 'sell',
			}),
			row(11, '8b04dcc35dbf692901fa3ff2793135c0', '50e234e2-e7b8-41c4-8cd0-1639c565b901', {
				product_name: 'Cafe\u0301',
				objective: 'sell',
			}),
			row(12, '70b03beb25bf9efe5fed60b096e90452', 'd0b1ddf1-d112-408a-a3e3-ec77d5a52dab', {
				product_name: 'Soap  bar',
				objective: 'sell',
			}),
			row(13, '71417d257fbb681a581ab19d7bce1ed0', 'e0d04adc-d4d8-4097-bcc0-a14cb7edc481', {
				product_name: 'Soap',
			}),
			{ number: 14, refused: true },
		],
	},
	{
		file: 'plainest-header.csv',
		bytes: '452c4c983b6db11b',
		rows: [
			row(2, 'af5ab26aac52453999d845f39d9e138f', 'c333d793-5da3-4074-8fb3-81ea74c54573', {
				product_name: 'Face Roller',
				objective: 'Sell',
				product_id: '123123',
				reference_urls: ['https://video.example.com/1'],
			}),
		],
	},
	{
		file: 'links.csv',
		bytes: '09379c2cc2177e91',
		rows: [
			row(2, 'bbaadf112ceb0c74abede4deeb0bd2d8', '24323dee-72e0-4853-8e84-9c39df1e2f51', L1),
			row(3, 'bbaadf112ceb0c74abede4deeb0bd2d8', '24323dee-72e0-4853-8e84-9c39df1e2f51', L1),
			row(4, 'bbaadf112ceb0c74abede4deeb0bd2d8', '24323dee-72e0-4853-8e84-9c39df1e2f51', L1),
			row(5, 'bbaadf112ceb0c74abede4deeb0bd2d8', '24323dee-72e0-4853-8e84-9c39df1e2f51', L1),
			row(6, 'bbaadf112ceb0c74abede4deeb0bd2d8', '24323dee-72e0-4853-8e84-9c39df1e2f51', L1),
			row(7, 'bbaadf112ceb0c74abede4deeb0bd2d8', '24323dee-72e0-4853-8e84-9c39df1e2f51', L1),
			row(8, '73fd4e2cb4d769b9ab6e58d4ef7bb9da', '80b76a43-92f2-4139-bcab-40e2494e15d7', {
				product_name: 'L1',
				reference_urls: ['https://video.example.com/2', 'https://video.example.com/1'],
			}),
			row(9, '5ba0db29641a76c928a38b303db447c4', '5c5e19cd-9ac9-4481-a44c-bd8b064d53e6', {
				product_name: 'L1',
				reference_urls: ['https://video.example.com/1', 'https://video.example.com/1'],
			}),
			row(10, 'cd72196a8d1b7ad18a8f570db07ae98d', '343ca399-24d8-43c5-ae51-094ea8ac8a3a', {
				product_name: 'L1',
				reference_urls: ['https://video.example.com/x,y;z'],
			}),
			row(11, '4e45e6a1c5ae06a0800e6fc7c970bc54', '35331137-55fd-46cb-aff8-ed952edf22c2', {
				product_name: 'L1',
				reference_urls: ['HTTPS://Video.Example.com/A/'],
			}),
			{ number: 12, refused: true },
		],
	},
	{
		file: 'numbers.csv',
		bytes: '866156037166fcbf',
		options: { delimiter: '^' },
		rows: [
			row(2, '349c752df97ccda8b8011217d1c31039', '8b96e448-267e-4a4b-9b3b-8f3647723bd4', OIL),
			row(3, '349c752df97ccda8b8011217d1c31039', '8b96e448-267e-4a4b-9b3b-8f3647723bd4', OIL),
			row(4, '86833adcf45d5973bf9738ad0acbaa0c', 'a08bd769-ca05-4f9f-8242-db702d7df46b', {
				product_name: 'Oil',
				product_id: '012345',
			}),
			row(5, '522c8c136525b98fb3824a2da5f197cc', '724088ff-d247-4572-b9cf-e1a37202de54', {
				product_name: 'Oil',
				product_id: '1234567890123456789012345678901234567890',
			}),
			row(6, '9d307cdb9ca33debd8a1e158fd45d96d', '22f48d41-baec-45a1-bb51-78513f4eb5fa', {
				product_name: 'Oil',
			}),
			{ number: 7, refused: true },
			{ number: 8, refused: true },
			{ number: 9, refused: true },
			row(10, '964b5d304e40030a685004253764564c', '863a4370-f93e-444d-87dc-9baac7fc4ff5', {
				product_name: '42',
				product_id: '12345',
			}),
			row(11, '05de90d1cd740bcc61216789c4bad146', '8fb29552-91aa-4fb8-93b8-5081ded22028', {
				product_name: 'Oil \\ Vinegar',
			}),
		],
	},
	{
		file: 'duplicates.csv',
		bytes: 'ccdd3180bc7e32db',
		rows: [
			row(2, 'f368535cdb955a75cd10bf1435a98771', '8e47d182-d958-47eb-8c4a-2d9a9a09efc4', SOAP),
			row(3, '1341e7d065c95e5b4119303ff585fbf1', '670ce31f-a986-46c2-8e78-bc85b1adf077', MUG),
			row(4, 'f368535cdb955a75cd10bf1435a98771', '8e47d182-d958-47eb-8c4a-2d9a9a09efc4', SOAP),
			row(5, 'f368535cdb955a75cd10bf1435a98771', '8e47d182-d958-47eb-8c4a-2d9a9a09efc4', {
				product_name: 'soap',
				objective: 'sell',
			}),
			row(6, 'f368535cdb955a75cd10bf1435a98771', '8e47d182-d958-47eb-8c4a-2d9a9a09efc4', SOAP),
			row(7, '1341e7d065c95e5b4119303ff585fbf1', '670ce31f-a986-46c2-8e78-bc85b1adf077', MUG),
		],
	},
	{
		file: 'damaged.csv',
		bytes: 'b80b8ede1a50f7f4',
		options: { encoding: 'windows-1252' },
		rows: [
			row(2, '1eb7a9c45a0c93c742c414d59bd3f695', 'e80afa43-0729-4e2d-8fb5-36cea9503bc3', {
				product_name: 'Bowl',
				objective: 'sell',
			}),
			row(3, '780deae7c23dd59e3d45faef0c4b8f46', '9c86b50b-600c-41cd-a404-d14bab762e60', {
				product_name: 'Cup,sell\nPlate',
				objective: 'x',
			}),
			{ number: 4, refused: true },
			{ number: 5, refused: true },
			row(6, '8b04dcc35dbf692901fa3ff2793135c0', '5f4f274b-b72f-438f-a5f9-e7fbf57c4ca0', {
				product_name: 'Café',
				objective: 'sell',
			}),
			row(7, 'ed11e09be8853e4c637f3bf581eb5d62', '5a4af580-cd9f-4c07-8925-55b389940da3', {
				product_name: 'Knife',
				objective: 'sell',
			}),
		],
	},
];
