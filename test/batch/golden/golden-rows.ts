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
	/** The rows that show a sign of damage, which are ordered only after a yes. */
	signs?: number[];
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
		signs: [13],
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
		signs: [4],
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
			// Fewer cells than the header has: a sign of damage, which a person may overrule.
			row(4, 'cfbae6cf0d3032b00b2300f4b50eb415', 'bce3a000-04a2-46db-b022-51735f875c80', {
				product_name: 'Fork',
			}),
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
	{
		file: 'damaged-shapes.csv',
		bytes: '080750cc8c60e3a1',
		signs: [3, 4, 6, 7, 8, 13, 14],
		rows: [
			row(2, '97cdd96ad45da1505592a28214cf69eb', '5f0bfa3a-ed98-4730-ab8c-37bd0bf99486', {
				product_name: 'Pan',
				audience: 'black',
			}),
			row(3, 'aee1d13b2ff4a9172183a105ec290e96', 'a0ae116e-a90c-43fa-90e0-638e8f762292', {
				product_name: 'Pot',
				audience: 'cooks',
			}),
			row(4, '460e5ab836b806bbe83a4c5ee76c83ff', '201d4708-f5fe-456c-a293-a7e0c327da6b', {
				product_name: 'Pan',
			}),
			row(5, '4be36fa9a017373b37f281b3e432de51', 'a04c5d5f-f479-4885-a07e-0e31809c8775', {
				product_name: 'black',
				audience: 'cooks',
			}),
			row(6, '5d87845d31efc38969f1ba5e2bdc776f', '9d41f0d0-ce94-4863-8205-825478f787f0', {
				product_name: 'Tin',
				audience: '"cooks',
			}),
			row(7, 'f493db8557212098929310155ecb2f5b', '36a031b5-a516-413d-b81b-c649565cdc9a', {
				product_name: 'Jar',
				audience: '"cooks',
			}),
			row(8, '9212501a17662b1971f05836d2ed8e78', '75c50f7b-2df1-4e07-a98a-370e91498d96', {
				product_name: '# exported 2026-11-25',
			}),
			row(9, '1f6a42d624c7e26ddc412cb89df2b51d', '86ce3675-8a47-49e7-a760-f6c95b5fb12d', {
				product_name: 'Lid',
				audience: 'cooks',
			}),
			row(12, 'd078ff91bdefc2c1da1940375888120e', '53adac78-6fca-4fc9-967c-55c2a1efdac5', {
				product_name: 'Cup',
				audience: 'bakers',
			}),
			row(13, '803ad9b40f9a32934c3286e78d3b1329', 'a867c2b4-221b-43f1-bec5-53e401fe63f0', {
				product_name: 'Title',
			}),
			row(14, 'b438c3dc69b3c5ae2c3a501f82da4d56', '665ecafe-1a29-41b2-a25e-4b25bc01cb5e', {
				product_name: '3 records',
			}),
		],
	},
	{
		file: 'damaged-words.csv',
		bytes: '4e7043696d72fe8d',
		signs: [],
		rows: [
			{ number: 2, refused: true },
			{ number: 3, refused: true },
			{ number: 4, refused: true },
			{ number: 5, refused: true },
			{ number: 6, refused: true },
			{ number: 7, refused: true },
			{ number: 8, refused: true },
			{ number: 9, refused: true },
			row(10, 'ee0fef2a997f01706140c8542e10bcd4', 'dc3a31d5-addc-41ac-85f6-72506da45152', {
				product_name: 'NA Beer 0.0',
			}),
			row(11, '44d1b99b0aed5082619c670120ff0a22', '7ef6d8df-8465-4ab2-bba1-4fda07744af1', {
				product_name: 'What? The Card Game',
			}),
			row(12, '41f06ab561bf990b838de31275efe0fa', 'c9ffedca-0014-44fc-be8a-e61b99394143', {
				product_name: '4711',
			}),
			{ number: 13, refused: true },
			{ number: 14, refused: true },
			{ number: 15, refused: true },
			{ number: 16, refused: true },
			{ number: 17, refused: true },
			{ number: 18, refused: true },
			row(19, '19cb27f7c035110b9cf1113c74d59fff', '7c000843-3364-4f49-9fca-873ac7962fcc', {
				product_name: 'Pan',
				approved_facts: 'unknown',
			}),
		],
	},
	{
		file: 'damaged-headers.csv',
		bytes: '4b89aa6c486409f4',
		signs: [],
		rows: [
			row(2, 'bef26cf0923ece23cb26711219bcbfb4', 'ea07a079-0e1f-4d4f-b1c9-f0d9d673e9de', {
				product_name: 'Pan',
				product_id: '12345',
				audience: 'cooks',
				campaign_terms: '10 %',
				objective: 'sell',
			}),
			row(3, '4b9a5e08ce532c32a76d16b96f5d12ef', '4177cb31-76a0-4bf0-b4de-ca5b3109e700', {
				product_name: 'Pot',
				product_id: '54321',
			}),
		],
	},
	{
		file: 'damaged-texts.csv',
		bytes: 'ffe6d151585f43cb',
		signs: [2, 3, 4, 5, 6, 7, 8, 9],
		rows: [
			row(2, '5d8db86165871a0aae15e4944d7fa9ff', '8a29fa62-bf19-4349-8270-436afff898c2', {
				product_name: 'CrÃ¨me',
				approved_facts: 'Vegan',
			}),
			row(3, '6e1461fa56bd8f5e5c47a6a7a8eb020b', '7682240a-0645-4064-90ca-a58250cc8434', {
				product_name: 'Soap',
				approved_facts: 'Donâ€™t dilute',
			}),
			row(4, '7040107db1551e983767425862936a31', '9e0c7289-0db9-4299-bfdf-ed1335b99eaa', {
				product_name: 'Mug ðŸ§´',
			}),
			row(5, '31efab9bcc024b8f14ee6221c5652b80', '96a6575f-f3d5-4012-8786-7f794d8b0199', {
				product_name: 'M?sli',
				approved_facts: 'Bio',
			}),
			row(6, '76ce1732ab909e7978b7ce253bab464d', '14ed3d44-33c0-43b4-b09f-1ec5d519722c', {
				product_name: 'Tea',
				approved_facts: '??? ????',
			}),
			row(7, '82a60074b18f0fcc31206ea27620c92f', 'da30b316-91a1-472a-be8c-0ba615c3def2', {
				product_name: 'Salt &amp; Pepper',
			}),
			row(8, '1ef5ce6b8ca83bedc2b284965420b589', '5cbbf3aa-fdd3-4a2c-a067-356840d044a5', {
				product_name: 'Lamp',
				approved_facts: '<p>Warm</p>',
			}),
			row(9, 'f4511992b458a28a406fe769294410c1', '7adc56cf-3035-47b6-b07b-e9bde1eec31e', {
				product_name: 'Rug_x000D_',
			}),
			row(10, 'cfc15ef5edc89fdcd27d062344871b89', '075f12c2-9540-44f2-8b1d-f690ca2fa137', {
				product_name: 'São Tomé Café',
				approved_facts: '« Crème brûlée »',
			}),
			row(11, '9a9446fe8cc15b8b898542d90b3336fd', '0494406a-e6b7-4860-a934-bb6b5c2e53eb', {
				product_name: 'CAFÉ®',
				approved_facts: 'Is it good? Yes!',
			}),
			row(12, '1de9dee0fc6b8ad9dec60cc6a7bd9c04', 'd0ff9142-9de4-4235-8f91-3955cf9616de', {
				product_name: 'Oil',
				approved_facts: 'see https://a.example/w?v=1',
			}),
		],
	},
	{
		file: 'damaged-ids.csv',
		bytes: '69bdb23ef1ffa633',
		signs: [2, 3, 4],
		rows: [
			row(2, 'e4c4d00a3c7f6bb2d958567311ae6b36', '86a26a59-6393-4dc8-a14c-2f9d7d829c14', {
				product_name: 'Pan',
				product_id: '1729384756102938400',
			}),
			row(3, 'c98a4c09b8aed745ecb8d0e6c2399fde', 'c39e55aa-798d-41f6-94b3-e5e49c9432e3', {
				product_name: 'Pot',
				product_id: '1729384756102938700',
			}),
			row(4, '179e65142a8e7f155b107433ff7b36b7', 'fc2a7e6f-c45e-400d-9755-dd024dcde4ed', {
				product_name: 'Tin',
				product_id: '1729384756102939100',
			}),
			row(5, '62a1d38b1b6e6d540748c7f3e1c72727', 'd01ff858-c1f7-4613-aae6-307672d700ce', {
				product_name: 'Jar',
				product_id: '12345',
			}),
			{ number: 6, refused: true },
			{ number: 7, refused: true },
		],
	},
	{
		file: 'damaged-links.csv',
		bytes: '7df159f05d3ca89f',
		signs: [2, 3, 4],
		rows: [
			row(2, 'ed06a846a59770d5efbb7c198df7f6d0', 'b4111a17-b12d-40f8-804c-3c9ff3ca0e2f', {
				product_name: 'Pan',
				reference_urls: ['https://video.example.com/a;'],
			}),
			row(3, '190b82a8bad6ceacc5560624087d5dc0', 'b146f10b-5d13-4347-91c0-153590156e8a', {
				product_name: 'Pot',
				reference_urls: ['https://video.example.com/a.'],
			}),
			row(4, '9a7f0a89ac83e5537a192a762500312c', 'bb24ab49-a4da-4d67-a45a-bdcb2e3ca8e6', {
				product_name: 'Tin',
				reference_urls: ['https://video.example.com/a?b=1&amp;c=2'],
			}),
			row(5, 'c8f1aecc34cbecb5c652ef33890cf491', 'a20d5740-d208-4ba0-a553-a2071f36a09f', {
				product_name: 'Jar',
				reference_urls: ['https://video.example.com/a?b=1'],
			}),
			{ number: 6, refused: true },
			{ number: 7, refused: true },
		],
	},
];
