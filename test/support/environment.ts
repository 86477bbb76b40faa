import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder for the settings file that n8n-core writes when it starts. It has to be set before n8n-core is loaded, so
 * this module comes first in every list of imports; instance.ts removes the folder again.
 */
export const settingsFolder = mkdtempSync(join(tmpdir(), 'n8n-core-'));

process.env.N8N_USER_FOLDER = settingsFolder;
