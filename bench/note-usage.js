// Loaded with `node -r`. At the end of the process, writes what it used into the file that USAGE_FILE names.
const { writeFileSync } = require('node:fs');

process.on('exit', () => {
	const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
	const usage = { megabytes: maxRSS / 1024, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 };
	writeFileSync(process.env.USAGE_FILE, JSON.stringify(usage));
});
