import { isIP } from 'node:net';

/** The names by which a machine calls itself. No other machine's page can have one of them. */
const LOOPBACK = /^(?:(?:.+\.)?localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;
/** The addresses that mean every address of this machine. */
const EVERY_ADDRESS = ['0.0.0.0', '::'];
/** The host in an http or https URL, without user name and port. */
const HOST_IN_URL = /^https?:\/\/(\[[^\]/]*\]|[^/:?#[\]]*)/i;

/** Whether only programs on this machine reach what listens at this host. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(nameOf(host));

/** Whether listening at this host means listening at every address of this machine. */
export const isEveryAddress = (host: string): boolean => EVERY_ADDRESS.includes(host);

/**
 * Which names a sandbox answers to: loopback names, the host at which it listens, and those that a person has named. A
 * page of another site can give its own name this machine's address (DNS rebinding), and the browser then takes the
 * sandbox for a part of that site; but the browser still asks for the site's name.
 *
 * @example
 * const names = new HostNames('127.0.0.1', ['sandbox']);
 * names.include('http://sandbox:4010/v1/me'); // true
 */
export class HostNames {
	#names: Set<string>;
	#includesAddresses: boolean;

	constructor(host: string, allowedHosts: readonly string[]) {
		this.#names = new Set([host, ...allowedHosts].map(nameOf));
		// Who listens at every address has named all of them. An address is no name that a page could give to another one.
		this.#includesAddresses = isEveryAddress(host);
	}

	/** Whether the sandbox answers to the name in this URL. */
	include(url: string): boolean {
		const name = hostIn(url);
		return (
			LOOPBACK.test(name) ||
			this.#names.has(name) ||
			(this.#includesAddresses && isIP(name.replace(/^\[|\]$/g, '')) > 0)
		);
	}
}

/** The name in a URL as `HostNames` compares it; empty where there is none. */
export const hostIn = (url: string): string => nameOf(HOST_IN_URL.exec(url)?.[1] ?? '');

/** A host in lower case, an IPv6 address in brackets, without the full stop that may end a complete name. */
const nameOf = (host: string): string => {
	const name = host.toLowerCase().replace(/\.$/, '');
	return isIP(name) === 6 ? `[${name}]` : name;
};
