import { FolderLock } from './folderLock';
import { N8nInstallation, type N8nRelease } from './install';
import { checkSpace, SPACE_TO_INSTALL_BYTES } from './machine';
import { hasNodeForN8n, provideNode, type Node } from './node';
import { runStep, type Log } from './progress';
import { Trouble } from './trouble';

/** An n8n that is installed, and the Node that it runs on. */
export type ProvidedN8n = {
	node: Node;
	installation: N8nInstallation;
	/** Whether it was installed now. */
	installedN8n: boolean;
	/** Keeps others from replacing it until it is released. */
	inUse: FolderLock;
};

/**
 * Installs a release of n8n, and a Node that it runs on, unless both are installed already. Several playgrounds may use
 * one installation, and none of them while it is being installed.
 *
 * @throws Trouble where another start is installing, or would have to end first
 */
export const provideN8n = async (
	release: N8nRelease,
	installFolder: string,
	log: Log,
	signal?: AbortSignal,
): Promise<ProvidedN8n> => {
	const installation = new N8nInstallation(installFolder, release);
	const inUse = FolderLock.tryTake(installFolder, 'shared');
	if (!inUse) throw isBusy(release, installFolder);
	if (hasNodeForN8n(installFolder)) {
		const node = await provideNode(installFolder);
		if (await installation.isComplete(node.major)) {
			return { node, installation, installedN8n: false, inUse };
		}
	}
	inUse.release();
	const installing = FolderLock.tryTake(installFolder);
	if (!installing) throw isBusy(release, installFolder);
	try {
		const node = await install(release, installation, installFolder, log, signal);
		if (!installing.share()) throw isBusy(release, installFolder);
		return { node, installation, installedN8n: true, inUse: installing };
	} catch (error) {
		installing.release();
		throw error;
	}
};

const isBusy = ({ version }: N8nRelease, installFolder: string): Trouble =>
	new Trouble(
		`n8n ${version} cannot be installed into ${installFolder} while another playground installs or uses an n8n there.`,
		'Wait until it is installed, or end that playground with Ctrl-C in its terminal. Then run the command again.',
	);

const install = async (
	{ version }: N8nRelease,
	installation: N8nInstallation,
	installFolder: string,
	log: Log,
	signal?: AbortSignal,
): Promise<Node> => {
	await checkSpace(installFolder, SPACE_TO_INSTALL_BYTES);
	log(
		`  The first start installs n8n ${version}, which takes about five minutes and 4 GB of free disk.`,
	);
	const node = await runStep(
		log,
		'Looking for a Node that n8n runs on',
		async () => await provideNode(installFolder, signal),
	);
	await runStep(
		log,
		`Downloading n8n ${version} (step 1 of 2)`,
		async () => await installation.download(node, signal),
	);
	await runStep(
		log,
		'Building its native parts (step 2 of 2)',
		async () => await installation.build(node, signal),
	);
	return node;
};
