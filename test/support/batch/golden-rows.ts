import type { BriefInput } from '../../../service/resources';

/** A row of a golden CSV: held up because something in it is wrong, or with all that must never change about it. */
export type GoldenRow = { number: number } & (
	{ refused: true } | { ordinal: number; id: string; key: string; input: BriefInput }
);

export interface GoldenCsv {
	/** In csv/ beside this file. */
	file: string;
	/** The start of the SHA-256 of the file, which tells a damaged fixture from changed code. */
	bytes: string;
	/** As --batch gives it; without it the batch is named after the file. */
	batch?: string;
	/** As the command line gives them. */
	options?: { encoding?: string; delimiter?: string; map?: string[]; set?: string[] };
	/** All rows, in the order of the file. The keys are those of generation 1. */
	rows: GoldenRow[];
}

/**
 * What each golden CSV means. The inputs were written by hand, from what a person reads in the file. IDs and keys were
 * computed from them by a program of their own (Python's json and hashlib, none of this project's code):
 * - ID: the first 32 hex digits of the SHA-256 of the JSON list of [field, value] pairs, sorted by field;
 * - key: the first 16 bytes of the SHA-256 of the parts "brief-batch", batch, ID, ordinal and generation, each written
 *   as its length in bytes, a colon, itself and a comma; with the bits of a UUID of version 4 set.
 */
export const GOLDEN_CSVS: GoldenCsv[] = [
	{
		file: 'products.csv',
		bytes: 'caf23fb2ffcc0af4',
		rows: [
			{
				number: 2,
				ordinal: 1,
				id: '78cc6fbf76f7c183e8e8f05b62ea3f78',
				key: '273d1690-1f02-44b7-9691-0fc186b7a042',
				input: {
					product_name: 'Lavender Hand Soap',
					product_id: '1729481234567890123',
					audience: 'Parents, 25–40',
					objective: 'Sell the "refill" pack',
					approved_facts: 'Free of parabens.\nMade in the US.',
					campaign_terms: '20 % until 30 November',
					creative_direction: 'Natural light; no music',
					reference_urls: ['https://video.example.com/a', 'https://video.example.com/b'],
				},
			},
			{
				number: 3,
				ordinal: 1,
				id: '25a115e194229f279f69781ab6dc27c4',
				key: 'c9c210ba-5463-4b32-bf5c-bbd934f6c374',
				input: { product_name: 'Mug' },
			},
			{
				number: 4,
				ordinal: 1,
				id: '7a4edd12ff3f218d83863916070b34f9',
				key: '5dae45f9-e660-461c-a9e7-8fe00a821d3f',
				input: { product_name: '12" Pan', product_id: '00012345', campaign_terms: '10 %' },
			},
			{
				number: 5,
				ordinal: 1,
				id: 'a825bf74ec02945cdc9f5e1fa945b09d',
				key: 'ede9d6ae-7754-4c00-8b17-350bc29f94d8',
				input: {
					product_name: 'Crème “Ré” 🧴 ｆｕｌｌ',
					objective: 'C:\\sale\tnow\u001f!',
					audience: '日本',
					reference_urls: ['https://video.example.com/c?x=1,2'],
				},
			},
		],
	},
	{
		file: 'products-again.csv',
		bytes: '661447c93f7b8a26',
		batch: 'products.csv',
		rows: [
			{
				number: 3,
				ordinal: 1,
				id: 'a825bf74ec02945cdc9f5e1fa945b09d',
				key: 'ede9d6ae-7754-4c00-8b17-350bc29f94d8',
				input: {
					product_name: 'Crème “Ré” 🧴 ｆｕｌｌ',
					objective: 'C:\\sale\tnow\u001f!',
					audience: '日本',
					reference_urls: ['https://video.example.com/c?x=1,2'],
				},
			},
			{
				number: 4,
				ordinal: 1,
				id: '7a4edd12ff3f218d83863916070b34f9',
				key: '5dae45f9-e660-461c-a9e7-8fe00a821d3f',
				input: { product_name: '12" Pan', product_id: '00012345', campaign_terms: ' 10 %' },
			},
			{
				number: 6,
				ordinal: 1,
				id: '25a115e194229f279f69781ab6dc27c4',
				key: 'c9c210ba-5463-4b32-bf5c-bbd934f6c374',
				input: { product_name: 'Mug' },
			},
			{
				number: 7,
				ordinal: 1,
				id: '78cc6fbf76f7c183e8e8f05b62ea3f78',
				key: '273d1690-1f02-44b7-9691-0fc186b7a042',
				input: {
					product_name: 'Lavender Hand Soap',
					product_id: '1729481234567890123',
					audience: 'Parents, 25–40',
					objective: 'Sell the "refill" pack',
					approved_facts: 'Free of parabens.\nMade in the US.',
					campaign_terms: '20 % until 30 November\r\n',
					creative_direction: 'Natural light; no music',
					reference_urls: ['https://video.example.com/a', 'https://video.example.com/b'],
				},
			},
		],
	},
	{
		file: 'sep-utf-16be.csv',
		bytes: '4d73016a3b4014af',
		rows: [
			{
				number: 3,
				ordinal: 1,
				id: 'd50bdc5a0c82dbd138c024c15554b407',
				key: 'de1800b3-2a4d-4411-a315-4c5cfda9b79b',
				input: { product_name: 'Lip Balm, 2 pcs', approved_facts: 'Vegan, no scent' },
			},
			{
				number: 4,
				ordinal: 1,
				id: 'a5dd2bcff2a33f2ff88a448643f872b1',
				key: '8c8df913-b0a5-4ada-a698-002260a4b482',
				input: { product_name: 'Lip; Balm', approved_facts: '„gut“' },
			},
		],
	},
	{
		file: 'utf-16le-without-mark.csv',
		bytes: '615ed4fbb223b2e0',
		options: { encoding: 'utf-16le' },
		rows: [
			{
				number: 2,
				ordinal: 1,
				id: 'f4a15eb9dd25f9edb1f2552de8e25fab',
				key: '01b0c197-5d6c-4fe0-a03a-2877ae15e6f4',
				input: { product_name: 'Desk Lamp', creative_direction: 'Warm light, at dusk' },
			},
			{
				number: 3,
				ordinal: 1,
				id: 'dd7b40cd1a6e7a81c97461a47bd1a274',
				key: 'ccb0522a-6b2d-4746-a172-07aa9fb487c4',
				input: { product_name: 'Grüne Lampe' },
			},
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
			{
				number: 2,
				ordinal: 1,
				id: '00800410fa384821b6ddef706bd167fc',
				key: 'd150929d-c8cf-49ee-8cbe-0b6d168ce1bf',
				input: {
					product_name: 'Handcreme – 30 €',
					product_id: '123456',
					audience: 'Eltern',
					objective: 'Mehr verkaufen',
					campaign_terms: '20 % = net',
					reference_urls: ['https://video.example.com/?a=1', 'https://video.example.com/b'],
				},
			},
			{
				number: 3,
				ordinal: 1,
				id: 'b51ebded5a6f5541ae6ff45301e45d0c',
				key: '52480c4c-7a50-4876-84fc-ece954fd1886',
				input: {
					product_name: 'Fußbad „Öl“',
					audience: 'Everyone',
					campaign_terms: '20 % = net',
					reference_urls: ['https://video.example.com/?a=1', 'https://video.example.com/b'],
				},
			},
		],
	},
	{
		file: 'mac.csv',
		bytes: 'a37e7313ee96e41b',
		rows: [
			{
				number: 2,
				ordinal: 1,
				id: '0e4a76d46847b7b1070c503d096861d9',
				key: '84d2f08b-8e0c-43bc-9c33-803ad46bd83d',
				input: {
					product_name: 'Tent',
					product_id: '55555',
					audience: 'Campers',
					objective: 'Sell, sell',
					approved_facts: 'dry | light',
					campaign_terms: 'net; 5 %',
					creative_direction: 'outdoors',
					reference_urls: ['https://video.example.com/t', 'https://video.example.com/u'],
				},
			},
			{
				number: 3,
				ordinal: 1,
				id: 'b14aca830b83e840a671f6798e3b95c6',
				key: '96e99d72-fc60-4b6d-b24a-fc139f7901d4',
				input: { product_name: 'Tent\npegs' },
			},
		],
	},
	{
		file: 'bom.csv',
		bytes: '0f95ea12079f161e',
		rows: [
			{
				number: 4,
				ordinal: 1,
				id: '43ed26126cde9613e0ff594098e7ba9d',
				key: '399204e8-772c-4166-a47c-30576b7a0d35',
				input: { product_name: 'Soap', objective: 'sell' },
			},
			{
				number: 6,
				ordinal: 1,
				id: 'cbda298e317efd0953be33fba503113b',
				key: '18c6d5cb-6b2b-4664-811a-534fed3fcff6',
				input: { product_name: 'Soap', objective: 'one\ntwo\nthree\nfour' },
			},
			{
				number: 9,
				ordinal: 1,
				id: '751aa98783deecfd8a549767807c166a',
				key: 'f110637b-6d41-4d61-94d0-ffa1463e4c09',
				input: { product_name: 'SOAP', objective: 'sell' },
			},
			{
				number: 10,
				ordinal: 1,
				id: '61805904338a5ccf6b3b59a969b2fdd1',
				key: 'f3ef2bd2-6c09-4dda-b61c-a4bc4b233456',
				input: { product_name: 'Café', objective: 'sell' },
			},
			{
				number: 11,
				ordinal: 1,
				id: 'e4f960777ae6231feddbf7b0b21998d1',
				key: '994a9bef-886f-4867-a7e6-48eda8914049',
				input: { product_name: 'Cafe\u0301', objective: 'sell' },
			},
			{
				number: 12,
				ordinal: 1,
				id: '3bafb4653db1c12d3f466935925c6804',
				key: '07ab4d49-9cea-4eaf-accc-5974f15a208a',
				input: { product_name: 'Soap  bar', objective: 'sell' },
			},
			{
				number: 13,
				ordinal: 1,
				id: 'b0c52d1fa225dd5dfca0b9d0d40370fe',
				key: '4711aa2b-afc1-44be-a71b-cfa559be5bfe',
				input: { product_name: 'Soap' },
			},
			{ number: 14, refused: true },
		],
	},
	{
		file: 'plainest-header.csv',
		bytes: '452c4c983b6db11b',
		rows: [
			{
				number: 2,
				ordinal: 1,
				id: '26a8a81cd67eeeafeed1196ce83cf05d',
				key: '15a65c81-b11c-4f22-9e59-3dc2d91f3bd1',
				input: {
					product_name: 'Face Roller',
					objective: 'Sell',
					product_id: '123123',
					reference_urls: ['https://video.example.com/1'],
				},
			},
		],
	},
	{
		file: 'links.csv',
		bytes: '09379c2cc2177e91',
		rows: [
			{
				number: 2,
				ordinal: 1,
				id: '20c95da77cd12f56465393012111d7e1',
				key: 'bf742265-04c7-4dc1-b714-94edb6141b84',
				input: {
					product_name: 'L1',
					reference_urls: ['https://video.example.com/1', 'https://video.example.com/2'],
				},
			},
			{
				number: 3,
				ordinal: 2,
				id: '20c95da77cd12f56465393012111d7e1',
				key: '597f4f5a-825d-4a8f-b20a-98ee81e186c0',
				input: {
					product_name: 'L1',
					reference_urls: ['https://video.example.com/1', 'https://video.example.com/2'],
				},
			},
			{
				number: 4,
				ordinal: 3,
				id: '20c95da77cd12f56465393012111d7e1',
				key: 'fea7e589-8b80-4f21-80c3-7a3bed4cca9a',
				input: {
					product_name: 'L1',
					reference_urls: ['https://video.example.com/1', 'https://video.example.com/2'],
				},
			},
			{
				number: 5,
				ordinal: 4,
				id: '20c95da77cd12f56465393012111d7e1',
				key: 'd6cd3c7f-2a6c-4c2a-b588-604bb77a31a3',
				input: {
					product_name: 'L1',
					reference_urls: ['https://video.example.com/1', 'https://video.example.com/2'],
				},
			},
			{
				number: 6,
				ordinal: 5,
				id: '20c95da77cd12f56465393012111d7e1',
				key: '0b8fc07e-fea8-40d0-9693-84114337551c',
				input: {
					product_name: 'L1',
					reference_urls: ['https://video.example.com/1', 'https://video.example.com/2'],
				},
			},
			{
				number: 7,
				ordinal: 6,
				id: '20c95da77cd12f56465393012111d7e1',
				key: '0d73803a-bc54-4707-ac72-10b892f7591a',
				input: {
					product_name: 'L1',
					reference_urls: ['https://video.example.com/1', 'https://video.example.com/2'],
				},
			},
			{
				number: 8,
				ordinal: 1,
				id: 'e1ba163f5de077e62540a23e6f416eea',
				key: 'fc897bf0-53bb-487e-874e-c22a416edca5',
				input: {
					product_name: 'L1',
					reference_urls: ['https://video.example.com/2', 'https://video.example.com/1'],
				},
			},
			{
				number: 9,
				ordinal: 1,
				id: 'fff9c1313a29c32171c744e72a42053a',
				key: 'a62f5336-8682-469a-9ce7-e146b35bb361',
				input: {
					product_name: 'L1',
					reference_urls: ['https://video.example.com/1', 'https://video.example.com/1'],
				},
			},
			{
				number: 10,
				ordinal: 1,
				id: '4f6e20a9e1e441bfa256943e5cd7a8b5',
				key: '977d0abf-42dd-4ae8-bb4b-6ad112daa2f7',
				input: { product_name: 'L1', reference_urls: ['https://video.example.com/x,y;z'] },
			},
			{
				number: 11,
				ordinal: 1,
				id: '72de147a321f27941c005c37989feeae',
				key: 'e3ee2bf0-58e6-42b0-a66e-987c30336682',
				input: { product_name: 'L1', reference_urls: ['HTTPS://Video.Example.com/A/'] },
			},
			{ number: 12, refused: true },
		],
	},
	{
		file: 'numbers.csv',
		bytes: '866156037166fcbf',
		options: { delimiter: '^' },
		rows: [
			{
				number: 2,
				ordinal: 1,
				id: 'af8cd337409176d96778aea48f0195fb',
				key: '86f10d87-e150-4921-8466-80828d103095',
				input: { product_name: 'Oil', product_id: '12345' },
			},
			{
				number: 3,
				ordinal: 2,
				id: 'af8cd337409176d96778aea48f0195fb',
				key: '78dc20c1-ca02-4338-9767-b9f095d57211',
				input: { product_name: 'Oil', product_id: '12345' },
			},
			{
				number: 4,
				ordinal: 1,
				id: 'b6cf3a52669d14ff150b37903879f660',
				key: 'e11d6b25-3b19-4d70-9281-3ffa45db1b38',
				input: { product_name: 'Oil', product_id: '012345' },
			},
			{
				number: 5,
				ordinal: 1,
				id: '78a3132c28559fe324f1f002e5620f4a',
				key: '62a407f0-28a2-48cb-8987-adbefdc2e952',
				input: { product_name: 'Oil', product_id: '1234567890123456789012345678901234567890' },
			},
			{
				number: 6,
				ordinal: 1,
				id: '0d03ed539daac58eecc8eb84ff05ae66',
				key: '2d12342f-5efa-4ff7-83db-d4028520a25a',
				input: { product_name: 'Oil' },
			},
			{ number: 7, refused: true },
			{ number: 8, refused: true },
			{ number: 9, refused: true },
			{
				number: 10,
				ordinal: 1,
				id: '964b5d304e40030a685004253764564c',
				key: '8bf01e45-e935-4cda-a012-3b82444b27e2',
				input: { product_name: '42', product_id: '12345' },
			},
			{
				number: 11,
				ordinal: 1,
				id: '6bc8cc3c03654a65dfb10a3f3eb5daf2',
				key: '945874d6-dcc0-482d-9078-f2392b198201',
				input: { product_name: 'Oil \\ Vinegar' },
			},
		],
	},
	{
		file: 'duplicates.csv',
		bytes: 'ccdd3180bc7e32db',
		rows: [
			{
				number: 2,
				ordinal: 1,
				id: '43ed26126cde9613e0ff594098e7ba9d',
				key: '3384a9c1-b615-4140-af82-83f6ebfa9cbc',
				input: { product_name: 'Soap', objective: 'sell' },
			},
			{
				number: 3,
				ordinal: 1,
				id: '25a115e194229f279f69781ab6dc27c4',
				key: 'e246a52f-7469-49f0-9d4b-6aadc4c1526b',
				input: { product_name: 'Mug' },
			},
			{
				number: 4,
				ordinal: 2,
				id: '43ed26126cde9613e0ff594098e7ba9d',
				key: '6614a7cd-f9f8-44bf-9b87-75a4c58ee240',
				input: { product_name: 'Soap', objective: 'sell' },
			},
			{
				number: 5,
				ordinal: 1,
				id: 'f368535cdb955a75cd10bf1435a98771',
				key: 'e9d65e25-5642-46f3-80c1-5abef99ed3ca',
				input: { product_name: 'soap', objective: 'sell' },
			},
			{
				number: 6,
				ordinal: 3,
				id: '43ed26126cde9613e0ff594098e7ba9d',
				key: '185827cc-35d0-460f-a4a3-7bcd2dd84268',
				input: { product_name: 'Soap', objective: 'sell' },
			},
			{
				number: 7,
				ordinal: 2,
				id: '25a115e194229f279f69781ab6dc27c4',
				key: '071b2808-38c5-4072-bd9c-e9edc57f22fa',
				input: { product_name: 'Mug' },
			},
		],
	},
	{
		file: 'damaged.csv',
		bytes: 'b80b8ede1a50f7f4',
		options: { encoding: 'windows-1252' },
		rows: [
			{
				number: 2,
				ordinal: 1,
				id: 'cdd3e957a22dc51edd1db96e708d85f5',
				key: '6937d8c4-45d5-4a09-83db-990190e49e09',
				input: { product_name: 'Bowl', objective: 'sell' },
			},
			{
				number: 3,
				ordinal: 1,
				id: '7c4c892c5854df9db346d458685946bd',
				key: '4fbbbf1f-1bfd-454b-8e0e-bece8a1518f4',
				input: { product_name: 'Cup,sell\nPlate', objective: 'x' },
			},
			{ number: 4, refused: true },
			{ number: 5, refused: true },
			{
				number: 6,
				ordinal: 1,
				id: '61805904338a5ccf6b3b59a969b2fdd1',
				key: '8d92a6fc-d16f-4b11-93b5-ae17fca2e54b',
				input: { product_name: 'Café', objective: 'sell' },
			},
			{
				number: 7,
				ordinal: 1,
				id: '79cf989f00b27f4ecc144cd9ab181a59',
				key: '9db85336-5053-4f53-85d2-10f6aace0439',
				input: { product_name: 'Knife', objective: 'sell' },
			},
		],
	},
];
