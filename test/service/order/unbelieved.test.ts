import { UnbelievedAnswers } from '../../../service/order/unbelieved';

const shown = (product_name: string) => ({ brief: { id: 'b1', product_name } });

test('after two orders in a row that got the brief of others nothing more is ordered', () => {
	const unbelieved = new UnbelievedAnswers();
	unbelieved.add('one', 'Glow Serum', shown('Night Cream'));
	expect(unbelieved.reason).toBeNull();
	// The same order again says nothing new.
	unbelieved.add('one', 'Glow Serum', shown('Night Cream'));
	expect(unbelieved.reason).toBeNull();
	unbelieved.add('two', 'Soap', shown('Day Cream'));
	expect(unbelieved.reason?.what).toContain('The order of “Soap” got brief b1 (“Day Cream”).');
});

test('a brief that is believed in between counts from the start again', () => {
	const unbelieved = new UnbelievedAnswers();
	unbelieved.add('one', 'A', shown('Z'));
	unbelieved.believed();
	unbelieved.add('two', 'B', shown('Z'));
	expect(unbelieved.reason).toBeNull();
});

test('what the service shows is repeated without its control characters, and shortened', () => {
	const unbelieved = new UnbelievedAnswers();
	unbelieved.add('one', 'A', {});
	unbelieved.add('two', 'B', shown(`\u001b[31mRed\n\u202eCream ${'x'.repeat(200)}`));
	expect(unbelieved.reason?.what).toMatch(/\(“\[31mRed Cream x{45}…”\)\.$/);
});
