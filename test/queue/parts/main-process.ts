export function mainProcess(): void {
	//
}
