import type { Page } from 'playwright-core';

/** A caption at the lower edge of a page, and a dot for the mouse, which a headless browser does not show. */
export class Overlay {
	private constructor(private readonly page: Page) {}

	/** On each page that is opened from now on. */
	static async on(page: Page): Promise<Overlay> {
		await page.context().addInitScript({ content: script });
		return new Overlay(page);
	}

	/** Until the next one, or another page. */
	async caption(text: string): Promise<void> {
		await this.page.evaluate(`showCaption(${JSON.stringify(text)})`);
	}
}

/** Runs in the page. */
const script = `
	const styleOf = {
		caption: 'position: fixed; left: 0; right: 0; bottom: 24px; margin: 0 auto; width: fit-content; max-width: 84%; padding: 14px 28px;'
			+ 'border-radius: 10px; background: rgba(20, 22, 34, 0.92); color: #fff; font: 500 24px/1.35 sans-serif;'
			+ 'text-align: center; z-index: 2147483647; pointer-events: none;',
		pointer: 'position: fixed; left: 0; top: 0; width: 22px; height: 22px; margin: -11px 0 0 -11px; border-radius: 50%;'
			+ 'background: rgba(255, 109, 90, 0.55); border: 2px solid #ff6d5a; z-index: 2147483647; pointer-events: none;',
	};
	function part(name) {
		const id = 'demo-' + name;
		const found = document.getElementById(id);
		if (found) return found;
		const made = document.createElement('div');
		made.id = id;
		made.style.cssText = styleOf[name];
		document.documentElement.append(made);
		return made;
	}
	window.showCaption = (text) => {
		const caption = part('caption');
		caption.textContent = text;
	};
	window.addEventListener('mousemove', ({ clientX, clientY }) => {
		part('pointer').style.transform = 'translate(' + clientX + 'px, ' + clientY + 'px)';
	}, true);
`;
