import type { Database } from './postgres';

/** The servers, the key and the URL that all n8n processes share. */
export type Common = {
	database: Database & { host: string };
	redis: { host: string; port: number; password: string };
	encryptionKey: string;
	/** The balancer's URL, which people and the service use. */
	publicUrl: string;
};

/** Settings that make several n8n processes one n8n: the same database, queue and key, and one URL for all. */
export const queueEnvironment = ({
	database,
	redis,
	encryptionKey,
	publicUrl,
}: Common): Record<string, string> => ({
	EXECUTIONS_MODE: 'queue',
	N8N_ENCRYPTION_KEY: encryptionKey,
	DB_TYPE: 'postgresdb',
	DB_POSTGRESDB_HOST: database.host,
	DB_POSTGRESDB_PORT: String(database.port),
	DB_POSTGRESDB_DATABASE: database.name,
	DB_POSTGRESDB_USER: database.user,
	DB_POSTGRESDB_PASSWORD: database.password,
	QUEUE_BULL_REDIS_HOST: redis.host,
	QUEUE_BULL_REDIS_PORT: String(redis.port),
	QUEUE_BULL_REDIS_PASSWORD: redis.password,
	QUEUE_HEALTH_CHECK_ACTIVE: 'true',
	// Only the processors serve production webhooks, so that the editor stays quick.
	N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
	N8N_WEBHOOK_URL: `${publicUrl}/`,
	N8N_EDITOR_BASE_URL: `${publicUrl}/`,
});
