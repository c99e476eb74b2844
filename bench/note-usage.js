// Loaded with `node -r`. When the process ends, writes its CPU time and memory into the file that USAGE_FILE names.
const { writeFileSync } = require('node:fs');

process.on('exit', () => {
	const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
	const usage = { megabytes: maxRSS / 1024, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 };
	writeFileSync(process.env.USAGE_FILE, JSON.stringify(usage));
});
