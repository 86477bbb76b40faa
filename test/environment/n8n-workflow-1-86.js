module.exports = globalThis[Symbol.for('n8n of the worker')].oldest();
