import { N8nInstallation, type N8nRelease } from './install';
import { checkSpace, SPACE_TO_INSTALL_BYTES } from './machine';
import { hasNodeForN8n, provideNode, type Node } from './node';
import { runStep, type Log } from './progress';

/** Installs a release of n8n, and a Node that it runs on, unless both are installed already. */
export const provideN8n = async (
	release: N8nRelease,
	installFolder: string,
	log: Log,
	signal?: AbortSignal,
): Promise<{ node: Node; installation: N8nInstallation; installedN8n: boolean }> => {
	const installation = new N8nInstallation(installFolder, release);
	if (hasNodeForN8n(installFolder)) {
		const node = await provideNode(installFolder);
		if (await installation.isComplete(node.major))
			return { node, installation, installedN8n: false };
	}
	await checkSpace(installFolder, SPACE_TO_INSTALL_BYTES);
	log(
		`  The first start installs n8n ${release.version}, which takes about five minutes and 4 GB of free disk.`,
	);
	const node = await runStep(
		log,
		'Looking for a Node that n8n runs on',
		async () => await provideNode(installFolder, signal),
	);
	await runStep(
		log,
		`Downloading n8n ${release.version} (step 1 of 2)`,
		async () => await installation.download(node, signal),
	);
	await runStep(
		log,
		'Building its native parts (step 2 of 2)',
		async () => await installation.build(node, signal),
	);
	return { node, installation, installedN8n: true };
};
