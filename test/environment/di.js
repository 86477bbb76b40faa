module.exports = globalThis[Symbol.for('n8n of the worker')].package('@n8n/di');
