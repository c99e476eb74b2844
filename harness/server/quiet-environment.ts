import { compareVersions } from '../install/versions';

/**
 * Returns the settings of an n8n that calls no host on the internet, asks a new user nothing, and keeps every execution.
 * A version ignores the names that it does not know.
 */
export function makeQuietEnvironment(version: string): Record<string, string> {
	return {
		// The module fetches a catalog at every start. Older versions refuse to start if an unknown module is disabled.
		...(compareVersions(version, '2.41.0') >= 0 ? { N8N_DISABLED_MODULES: 'mcp-registry' } : {}),
		...(compareVersions(version, '2.0.0') < 0 ? defaultsOfVersion2 : {}),
		HOME: process.env['HOME'] ?? '/',
		LANG: 'C.UTF-8',
		DB_TYPE: 'sqlite',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		N8N_SECURE_COOKIE: 'false',
		N8N_ENCRYPTION_KEY: 'only-for-tests-on-this-machine',
		GENERIC_TIMEZONE: 'UTC',
		TZ: 'UTC',
		// Telemetry, news, version checks, licence server, templates, catalog of community nodes.
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_DIAGNOSTICS_CONFIG_FRONTEND: '',
		N8N_DIAGNOSTICS_CONFIG_BACKEND: '',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_COMMUNITY_PACKAGES_ENABLED: 'true',
		N8N_COMMUNITY_PACKAGES_ALLOW_TOOL_USAGE: 'true',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		EXTERNAL_FRONTEND_HOOKS_URLS: '',
		N8N_SENTRY_DSN: '',
		N8N_FRONTEND_SENTRY_DSN: '',
		// Questions for a new user.
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_ONBOARDING_FLOW_DISABLED: 'true',
		// The Python runner is not in n8n's npm package.
		N8N_PYTHON_ENABLED: 'false',
		N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1',
		// n8n must neither unpublish workflows that fail nor delete old executions.
		N8N_WORKFLOW_AUTODEACTIVATION_ENABLED: 'false',
		EXECUTIONS_DATA_PRUNE: 'false',
		EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all',
		EXECUTIONS_DATA_SAVE_ON_ERROR: 'all',
		EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS: 'true',
		// A limit of the editor that the REST interface has too.
		EXECUTIONS_DATA_MAX_DISPLAY_SIZE: String(256 * 1024 * 1024),
		N8N_LOG_LEVEL: 'info',
		NO_COLOR: '1',
		NO_PROXY: '127.0.0.1,localhost',
	};
}

const defaultsOfVersion2 = { N8N_RUNNERS_ENABLED: 'true', DB_SQLITE_POOL_SIZE: '4' };
