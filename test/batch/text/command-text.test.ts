import { commandLine } from '../../../batch/command-text';

const platform = Object.getOwnPropertyDescriptor(process, 'platform')!;
afterAll(() => Object.defineProperty(process, 'platform', platform));

test.each([
	['briefs/acme', 'briefs/acme', 'briefs/acme'],
	['--only', '--only', '--only'],
	['3,5-9', '3,5-9', '"3,5-9"'],
	['Two Words', '"Two Words"', '"Two Words"'],
	['Status!=Paused', "'Status!=Paused'", '"Status!=Paused"'],
	['12=<brief id>', '"12=<brief id>"', '"12=<brief id>"'],
	['C:\\clients\\acme', "'C:\\clients\\acme'", 'C:\\clients\\acme'],
	['C:\\Two Words\\', "'C:\\Two Words\\'", '"C:\\Two Words\\\\"'],
	[
		'\\\\server\\share\\Two Words',
		"'\\\\server\\share\\Two Words'",
		'"\\\\server\\share\\Two Words"',
	],
	['audience=$5', "'audience=$5'", "'audience=$5'"],
	['say "it’s `b`"', '\'say "it’s `b`"\'', '\'say "it’’s `b`"\''],
	["Mia's", '"Mia\'s"', '"Mia\'s"'],
	["Mia's $5", "'Mia'\\''s $5'", "'Mia''s $5'"],
	['“new”', '"“new”"', "'“new”'"],
	['', '""', '""'],
])(
	'%j in a command to copy is quoted as the shells of the system read it',
	(text, posix, windows) => {
		for (const [value, quoted] of Object.entries({ linux: posix, darwin: posix, win32: windows })) {
			Object.defineProperty(process, 'platform', { value });
			expect([value, commandLine(text)]).toEqual([value, quoted]);
		}
	},
);
