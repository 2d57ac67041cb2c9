/* lab.mjs -- starts the server that is tested, `weft lab`, on a free port. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const weft = process.env.WEFT ?? fileURLToPath(new URL('../../build/plain/weft', import.meta.url));

/* Gives {url, stop()}; url ends with a slash. */
export async function startLab() {
    const child = spawn(weft, ['lab', '-p', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout });
    const url = await new Promise((resolve, reject) => {
        lines.on('line', (line) => {
            const found = line.match(/http:\/\/\S+\//);
            if (found) {
                resolve(found[0]);
            }
        });
        child.on('error', reject);
        child.on('exit', (code) => reject(new Error(`weft lab ended with ${code}`)));
    });
    return {
        url,
        async stop() {
            const ended = once(child, 'exit');
            child.kill('SIGTERM');
            const [code] = await ended;
            return code;
        },
    };
}
