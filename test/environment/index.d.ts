/** jest's environment for all tests; see index.js. */
export default class Environment {
	constructor(config: object, context: object);
	teardown(): Promise<void>;
}
