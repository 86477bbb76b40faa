/** What is used of the package, which comes without types. */
declare module 'fs-native-extensions' {
	/**
	 * Locks an open file, or changes the lock that it has, without waiting.
	 *
	 * @returns whether it is locked now; false where another opening of the file has a lock that excludes this one
	 */
	export function tryLock(fileDescriptor: number, options?: { shared?: boolean }): boolean;
}
