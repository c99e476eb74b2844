class ProbeTrigger {
	description = {
		displayName: 'Probe Trigger',
		name: 'probeTrigger',
		group: ['trigger'],
		version: 1,
		description: 'Fires at every poll, and counts',
		defaults: { name: 'Probe Trigger' },
		polling: true,
		inputs: [],
		outputs: ['main'],
		properties: [],
	};

	async poll() {
		const state = this.getWorkflowStaticData('node');
		state.count = (state.count ?? 0) + 1;
		return [[{ json: { count: state.count, mode: this.getMode() } }]];
	}
}
module.exports = { ProbeTrigger };
