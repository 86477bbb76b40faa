/** A process that runs npm in a folder, as the first start of a playground does. Its argument: the folder. */
import { runNpm } from '../../playground/npm';

void runNpm({ args: ['ci'], folder: process.argv[2] ?? '', doing: 'installing n8n' });
