import {
	isBeyond,
	NEW_ORDER,
	park,
	step,
	type Stage,
	type Step,
} from '../../../service/order/life';

const WAY = ['recover', 'take_over', 'order', 'watch', 'file'] as const;

test.each<[Stage, Step, (typeof WAY)[number]]>([
	['parked', step('look', ''), 'recover'],
	['running', step('get', ''), 'recover'],
	['to_order', park('listed', ''), 'take_over'],
	['to_order', step('queue', ''), 'order'],
	['ended', step('file', ''), 'file'],
])('an order that is %s takes the step %j as soon as the part %s is due', (stage, next, part) => {
	const order = { ...NEW_ORDER, stage };
	const due = WAY.filter((last) => !isBeyond(last, order, next));
	expect(due).toEqual(WAY.slice(WAY.indexOf(part)));
});
