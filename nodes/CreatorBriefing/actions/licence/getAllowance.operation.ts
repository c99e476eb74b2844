import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { allowanceOf, briefsOfThisMonth } from '../../../../service/allowance';
import { briefLicence } from '../../../../service/licence';
import { operationError } from '../../../shared/errors';
import { forEachItem } from '../../../shared/items';
import { openSession } from '../../../shared/session';

export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const { reader, ...session } = await openSession(this);
	return await forEachItem(this, { reader, ...session }, async (itemIndex) => {
		const licences = await reader.licences(session.signal);
		const found = briefLicence(licences, reader.now());
		if ('refusal' in found) {
			const description =
				'Ask the owner of the workspace to add a licence for briefs over the API.';
			const text = { code: 'licence_missing', message: found.refusal, description } as const;
			throw operationError(this.getNode(), text, { itemIndex });
		}
		const briefs = await briefsOfThisMonth(reader, session.signal);
		return [{ json: allowanceOf(found.licence, briefs, reader.now()) }];
	});
}
