/**
 * A program that is ready as n8n is, and that ends by itself when it is asked for /end. Where a file `broken` is in its folder,
 * it ends before it is ready.
 */
const { existsSync } = require('node:fs');
const { createServer } = require('node:http');

if (existsSync('broken')) process.exit(4);

createServer((request, response) => {
	response.end('{}');
	if (request.url === '/end') process.exit(3);
}).listen(Number(process.env.N8N_PORT), '127.0.0.1');
