import * as echarts from 'echarts';
import type { Cost } from './cost';
import type { Looked } from './polling/main';
import type { PeerFigures } from './peers/main';

const SIZE = { width: 720, height: 400 };
const GRID = { left: 80, right: 40, top: 76, bottom: 60 };
const COLOURS = ['#1b6ac9', '#c4541b', '#3a8a3a'];

/** Further left and further down is better. */
export function makespanPlot(measured: PeerFigures['alone'], simulated: readonly Looked[]): string {
	const label = { show: true, position: 'right' as const, formatter: '{b}', fontSize: 12 };
	const [usual] = simulated;
	return draw({
		// Each name stands to the right of its point.
		grid: { ...GRID, right: 130 },
		title: { text: 'Makespan against requests', left: 'center', textStyle: { fontSize: 15 } },
		legend: { top: 36, itemGap: 24, data: ['measured', 'simulated'] },
		xAxis: { ...axis('requests per brief'), type: 'value', min: 0 },
		yAxis: { ...axis('makespan ÷ lower bound'), type: 'value', min: 1 },
		series: [
			{
				name: 'measured',
				type: 'scatter',
				symbolSize: 12,
				label,
				data: measured.map(({ name, figures }) => ({
					name,
					value: [figures.requests, figures.makespan],
				})),
			},
			{
				name: 'simulated',
				type: 'scatter',
				symbol: 'diamond',
				symbolSize: 10,
				label,
				// A create comes on top of the reads.
				data: simulated
					.filter(({ world }) => world === usual?.world)
					.map(({ looks, over, readsPerBrief }) => ({
						name: looks,
						value: [readsPerBrief + 1, over],
					})),
			},
		],
	});
}

export function costPlot(cost: Cost): string {
	return draw({
		title: { text: 'Cost against rows', left: 'center', textStyle: { fontSize: 15 } },
		legend: { top: 36, itemGap: 24 },
		xAxis: { ...axis('rows'), type: 'log' },
		yAxis: { ...axis('CPU time ÷ that of node -e 0'), type: 'log' },
		series: Object.entries(cost).map(([name, data]) => ({ name, type: 'line', data })),
	});
}

function axis(name: string) {
	return { name, nameLocation: 'middle' as const, nameGap: 34 };
}

/** As SVG, without a browser. */
function draw(option: echarts.EChartsOption): string {
	const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, ...SIZE });
	try {
		chart.setOption({
			animation: false,
			backgroundColor: '#ffffff',
			color: COLOURS,
			grid: GRID,
			...option,
		});
		return `${chart.renderToSVGString()}\n`;
	} finally {
		chart.dispose();
	}
}
