import type { BriefInput } from '../../../service/api/resources';

/** A row of a golden CSV: held up because something in it is wrong, or with all that must never change about it. */
type GoldenRow = { number: number } & (
	{ refused: true } | { ordinal: number; id: string; key: string; input: BriefInput }
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

const row = (number: number, ordinal: number, id: string, key: string, input: BriefInput) => ({
	number,
	ordinal,
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
 * - ID: the first 32 hex digits of the SHA-256 of the JSON list of [field, value] pairs, sorted by field;
 * - key: the first 16 bytes of the SHA-256 of the parts "brief-batch", batch, ID, ordinal and generation, each written
 *   as its length in bytes, a colon, itself and a comma; with the bits of a UUID of version 4 set.
 */
export const GOLDEN_CSVS: GoldenCsv[] = [
	{
		file: 'products.csv',
		bytes: 'caf23fb2ffcc0af4',
		rows: [
			row(2, 1, '78cc6fbf76f7c183e8e8f05b62ea3f78', '273d1690-1f02-44b7-9691-0fc186b7a042', {
				product_name: 'Lavender Hand Soap',
				product_id: '1729481234567890123',
				audience: 'Parents, 25–40',
				objective: 'Sell the "refill" pack',
				approved_facts: 'Free of parabens.\nMade in the US.',
				campaign_terms: '20 % until 30 November',
				creative_direction: 'Natural light; no music',
				reference_urls: ['https://video.example.com/a', 'https://video.example.com/b'],
			}),
			row(3, 1, '25a115e194229f279f69781ab6dc27c4', 'c9c210ba-5463-4b32-bf5c-bbd934f6c374', MUG),
			row(4, 1, '7a4edd12ff3f218d83863916070b34f9', '5dae45f9-e660-461c-a9e7-8fe00a821d3f', {
				product_name: '12" Pan',
				product_id: '00012345',
				campaign_terms: '10 %',
			}),
			row(5, 1, 'a825bf74ec02945cdc9f5e1fa945b09d', 'ede9d6ae-7754-4c00-8b17-350bc29f94d8', CREME),
		],
	},
	{
		file: 'products-again.csv',
		bytes: '661447c93f7b8a26',
		batch: 'products.csv',
		rows: [
			row(3, 1, 'a825bf74ec02945cdc9f5e1fa945b09d', 'ede9d6ae-7754-4c00-8b17-350bc29f94d8', CREME),
			row(4, 1, '7a4edd12ff3f218d83863916070b34f9', '5dae45f9-e660-461c-a9e7-8fe00a821d3f', {
				product_name: '12" Pan',
				product_id: '00012345',
				campaign_terms: ' 10 %',
			}),
			row(6, 1, '25a115e194229f279f69781ab6dc27c4', 'c9c210ba-5463-4b32-bf5c-bbd934f6c374', MUG),
			row(7, 1, '78cc6fbf76f7c183e8e8f05b62ea3f78', '273d1690-1f02-44b7-9691-0fc186b7a042', {
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
			row(2, 1, 'd50bdc5a0c82dbd138c024c15554b407', 'de1800b3-2a4d-4411-a315-4c5cfda9b79b', {
				product_name: 'Lip Balm, 2 pcs',
				approved_facts: 'Vegan, no scent',
			}),
			row(3, 1, 'a5dd2bcff2a33f2ff88a448643f872b1', '8c8df913-b0a5-4ada-a698-002260a4b482', {
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
			row(2, 1, 'f4a15eb9dd25f9edb1f2552de8e25fab', '01b0c197-5d6c-4fe0-a03a-2877ae15e6f4', {
				product_name: 'Desk Lamp',
				creative_direction: 'Warm light, at dusk',
			}),
			row(3, 1, 'dd7b40cd1a6e7a81c97461a47bd1a274', 'ccb0522a-6b2d-4746-a172-07aa9fb487c4', {
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
			row(2, 1, '00800410fa384821b6ddef706bd167fc', 'd150929d-c8cf-49ee-8cbe-0b6d168ce1bf', {
				product_name: 'Handcreme – 30 €',
				product_id: '123456',
				audience: 'Eltern',
				objective: 'Mehr verkaufen',
				campaign_terms: '20 % = net',
				reference_urls: ['https://video.example.com/?a=1', 'https://video.example.com/b'],
			}),
			row(3, 1, 'b51ebded5a6f5541ae6ff45301e45d0c', '52480c4c-7a50-4876-84fc-ece954fd1886', {
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
			row(2, 1, '0e4a76d46847b7b1070c503d096861d9', '84d2f08b-8e0c-43bc-9c33-803ad46bd83d', {
				product_name: 'Tent',
				product_id: '55555',
				audience: 'Campers',
				objective: 'Sell, sell',
				approved_facts: 'dry | light',
				campaign_terms: 'net; 5 %',
				creative_direction: 'outdoors',
				reference_urls: ['https://video.example.com/t', 'https://video.example.com/u'],
			}),
			row(3, 1, 'b14aca830b83e840a671f6798e3b95c6', '96e99d72-fc60-4b6d-b24a-fc139f7901d4', {
				product_name: 'Tent\npegs',
			}),
		],
	},
	{
		file: 'bom.csv',
		bytes: '0f95ea12079f161e',
		rows: [
			row(4, 1, '43ed26126cde9613e0ff594098e7ba9d', '399204e8-772c-4166-a47c-30576b7a0d35', SOAP),
			row(6, 1, 'cbda298e317efd0953be33fba503113b', '18c6d5cb-6b2b-4664-811a-534fed3fcff6', {
				product_name: 'Soap',
				objective: 'one\ntwo\nthree\nfour',
			}),
			row(9, 1, '751aa98783deecfd8a549767807c166a', 'f110637b-6d41-4d61-94d0-ffa1463e4c09', {
				product_name: 'SOAP',
				objective: 'sell',
			}),
			row(10, 1, '61805904338a5ccf6b3b59a969b2fdd1', 'f3ef2bd2-6c09-4dda-b61c-a4bc4b233456', {
				product_name: 'Café',
				objective: 'sell',
			}),
			row(11, 1, 'e4f960777ae6231feddbf7b0b21998d1', '994a9bef-886f-4867-a7e6-48eda8914049', {
				product_name: 'Cafe\u0301',
				objective: 'sell',
			}),
			row(12, 1, '3bafb4653db1c12d3f466935925c6804', '07ab4d49-9cea-4eaf-accc-5974f15a208a', {
				product_name: 'Soap  bar',
				objective: 'sell',
			}),
			row(13, 1, 'b0c52d1fa225dd5dfca0b9d0d40370fe', '4711aa2b-afc1-44be-a71b-cfa559be5bfe', {
				product_name: 'Soap',
			}),
			{ number: 14, refused: true },
		],
	},
	{
		file: 'plainest-header.csv',
		bytes: '452c4c983b6db11b',
		rows: [
			row(2, 1, '26a8a81cd67eeeafeed1196ce83cf05d', '15a65c81-b11c-4f22-9e59-3dc2d91f3bd1', {
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
			row(2, 1, '20c95da77cd12f56465393012111d7e1', 'bf742265-04c7-4dc1-b714-94edb6141b84', L1),
			row(3, 2, '20c95da77cd12f56465393012111d7e1', '597f4f5a-825d-4a8f-b20a-98ee81e186c0', L1),
			row(4, 3, '20c95da77cd12f56465393012111d7e1', 'fea7e589-8b80-4f21-80c3-7a3bed4cca9a', L1),
			row(5, 4, '20c95da77cd12f56465393012111d7e1', 'd6cd3c7f-2a6c-4c2a-b588-604bb77a31a3', L1),
			row(6, 5, '20c95da77cd12f56465393012111d7e1', '0b8fc07e-fea8-40d0-9693-84114337551c', L1),
			row(7, 6, '20c95da77cd12f56465393012111d7e1', '0d73803a-bc54-4707-ac72-10b892f7591a', L1),
			row(8, 1, 'e1ba163f5de077e62540a23e6f416eea', 'fc897bf0-53bb-487e-874e-c22a416edca5', {
				product_name: 'L1',
				reference_urls: ['https://video.example.com/2', 'https://video.example.com/1'],
			}),
			row(9, 1, 'fff9c1313a29c32171c744e72a42053a', 'a62f5336-8682-469a-9ce7-e146b35bb361', {
				product_name: 'L1',
				reference_urls: ['https://video.example.com/1', 'https://video.example.com/1'],
			}),
			row(10, 1, '4f6e20a9e1e441bfa256943e5cd7a8b5', '977d0abf-42dd-4ae8-bb4b-6ad112daa2f7', {
				product_name: 'L1',
				reference_urls: ['https://video.example.com/x,y;z'],
			}),
			row(11, 1, '72de147a321f27941c005c37989feeae', 'e3ee2bf0-58e6-42b0-a66e-987c30336682', {
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
			row(2, 1, 'af8cd337409176d96778aea48f0195fb', '86f10d87-e150-4921-8466-80828d103095', OIL),
			row(3, 2, 'af8cd337409176d96778aea48f0195fb', '78dc20c1-ca02-4338-9767-b9f095d57211', OIL),
			row(4, 1, 'b6cf3a52669d14ff150b37903879f660', 'e11d6b25-3b19-4d70-9281-3ffa45db1b38', {
				product_name: 'Oil',
				product_id: '012345',
			}),
			row(5, 1, '78a3132c28559fe324f1f002e5620f4a', '62a407f0-28a2-48cb-8987-adbefdc2e952', {
				product_name: 'Oil',
				product_id: '1234567890123456789012345678901234567890',
			}),
			row(6, 1, '0d03ed539daac58eecc8eb84ff05ae66', '2d12342f-5efa-4ff7-83db-d4028520a25a', {
				product_name: 'Oil',
			}),
			{ number: 7, refused: true },
			{ number: 8, refused: true },
			{ number: 9, refused: true },
			row(10, 1, '964b5d304e40030a685004253764564c', '8bf01e45-e935-4cda-a012-3b82444b27e2', {
				product_name: '42',
				product_id: '12345',
			}),
			row(11, 1, '6bc8cc3c03654a65dfb10a3f3eb5daf2', '945874d6-dcc0-482d-9078-f2392b198201', {
				product_name: 'Oil \\ Vinegar',
			}),
		],
	},
	{
		file: 'duplicates.csv',
		bytes: 'ccdd3180bc7e32db',
		rows: [
			row(2, 1, '43ed26126cde9613e0ff594098e7ba9d', '3384a9c1-b615-4140-af82-83f6ebfa9cbc', SOAP),
			row(3, 1, '25a115e194229f279f69781ab6dc27c4', 'e246a52f-7469-49f0-9d4b-6aadc4c1526b', MUG),
			row(4, 2, '43ed26126cde9613e0ff594098e7ba9d', '6614a7cd-f9f8-44bf-9b87-75a4c58ee240', SOAP),
			row(5, 1, 'f368535cdb955a75cd10bf1435a98771', 'e9d65e25-5642-46f3-80c1-5abef99ed3ca', {
				product_name: 'soap',
				objective: 'sell',
			}),
			row(6, 3, '43ed26126cde9613e0ff594098e7ba9d', '185827cc-35d0-460f-a4a3-7bcd2dd84268', SOAP),
			row(7, 2, '25a115e194229f279f69781ab6dc27c4', '071b2808-38c5-4072-bd9c-e9edc57f22fa', MUG),
		],
	},
	{
		file: 'damaged.csv',
		bytes: 'b80b8ede1a50f7f4',
		options: { encoding: 'windows-1252' },
		rows: [
			row(2, 1, 'cdd3e957a22dc51edd1db96e708d85f5', '6937d8c4-45d5-4a09-83db-990190e49e09', {
				product_name: 'Bowl',
				objective: 'sell',
			}),
			row(3, 1, '7c4c892c5854df9db346d458685946bd', '4fbbbf1f-1bfd-454b-8e0e-bece8a1518f4', {
				product_name: 'Cup,sell\nPlate',
				objective: 'x',
			}),
			{ number: 4, refused: true },
			{ number: 5, refused: true },
			row(6, 1, '61805904338a5ccf6b3b59a969b2fdd1', '8d92a6fc-d16f-4b11-93b5-ae17fca2e54b', {
				product_name: 'Café',
				objective: 'sell',
			}),
			row(7, 1, '79cf989f00b27f4ecc144cd9ab181a59', '9db85336-5053-4f53-85d2-10f6aace0439', {
				product_name: 'Knife',
				objective: 'sell',
			}),
		],
	},
];
