import {
	isBeyond,
	NEW_ORDER,
	park,
	step,
	takeOver,
	type Stage,
	type Step,
} from '../../../service/order/life';
import { aBrief } from '../../support/builders';

const WAY = ['recover', 'take_over', 'order', 'watch', 'file'] as const;

test.each<[Stage, Step, (typeof WAY)[number]]>([
	['in_doubt', step('look', ''), 'recover'],
	['in_doubt', step('queue', ''), 'recover'],
	['parked', step('look', ''), 'recover'],
	['running', step('get', ''), 'recover'],
	['to_order', step('look', ''), 'take_over'],
	['to_order', takeOver(aBrief(), ''), 'take_over'],
	['to_order', park('listed', ''), 'take_over'],
	['to_order', step('queue', ''), 'order'],
	['to_order', step('defer', ''), 'order'],
	['waiting', step('take_slot', ''), 'order'],
	['cleared', step('look', ''), 'order'],
	['cleared', takeOver(aBrief(), ''), 'order'],
	['cleared', park('listed', ''), 'order'],
	['running', step('watch', ''), 'watch'],
	['ended', step('file', ''), 'file'],
])('an order that is %s takes the step %j as soon as the part %s is due', (stage, next, part) => {
	const order = { ...NEW_ORDER, stage };
	const due = WAY.filter((last) => !isBeyond(last, order, next));
	expect(due).toEqual(WAY.slice(WAY.indexOf(part)));
});
