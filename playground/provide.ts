import { N8nInstallation, type N8nRelease } from './install';
import { checkSpace, SPACE_TO_INSTALL_BYTES } from './machine';
import { isNodeAtHand, nodeForN8n, type Node } from './node';
import { step, type Log } from './progress';

/** The release of n8n and a Node for it, installed unless both are there. */
export const provideN8n = async (
	release: N8nRelease,
	installFolder: string,
	log: Log,
	signal?: AbortSignal,
): Promise<{ node: Node; installation: N8nInstallation; installedN8n: boolean }> => {
	const installation = new N8nInstallation(installFolder, release);
	if (isNodeAtHand(installFolder)) {
		const node = await nodeForN8n(installFolder);
		if (await installation.isComplete(node.major))
			return { node, installation, installedN8n: false };
	}
	await checkSpace(installFolder, SPACE_TO_INSTALL_BYTES);
	log(`  n8n ${release.version} is installed now, once; that takes about three minutes and 3 GB.`);
	const node = await step(
		log,
		'Looking for a Node that n8n runs on',
		async () => await nodeForN8n(installFolder, signal),
	);
	await step(
		log,
		`Downloading n8n ${release.version} (step 1 of 2, about two minutes)`,
		async () => await installation.download(node, signal),
	);
	await step(
		log,
		'Building its native parts (step 2 of 2, about one minute)',
		async () => await installation.build(node, signal),
	);
	return { node, installation, installedN8n: true };
};
