// nginx and haproxy from Debian's packages, in front of two processes, on free ports, as an ordinary configuration has them.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export interface Program {
  readonly url: string
  stop(): Promise<void>
}

export const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

export const answers = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/** Runs a program until it ends or standard input does, as it does with us, however we end: no test leaves a program behind. */
const UNTIL_INPUT_ENDS = 'exec 3<&0; "$@" & program=$!; { cat <&3 > /dev/null; kill "$program"; } & wait "$program"'

/** @throws clearly if the program is not installed: a test that needs it has to fail. */
export const startProgram = async (program: string, args: readonly string[], port: number): Promise<Program> => {
  if (!existsSync(program))
    throw new Error(`${program} is not installed. On Debian as root, npm test -- --all installs it.`)
  let said = ''
  const child: ChildProcess = spawn('/bin/sh', ['-c', UNTIL_INPUT_ENDS, 'sh', program, ...args])
  const note = (chunk: Buffer): void => {
    said = `${said}${chunk}`.slice(-2000)
  }
  child.stdout?.on('data', note)
  child.stderr?.on('data', note)
  const ended = new Promise<void>(resolve => void child.once('exit', () => resolve()))
  for (const deadline = Date.now() + 60_000; !(await answers(port)); await delay(20))
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${program} does not answer:\n${said}`)
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.stdin?.end()
      await ended
    },
  }
}

const nginxConfiguration = (folder: string, port: number, ports: readonly number[]): string => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  map $http_upgrade $connection_header {
    default upgrade;
    '' '';
  }
  upstream minaret {
    ${ports.map(one => `server 127.0.0.1:${one} max_fails=1 fail_timeout=1s;`).join('\n    ')}
    keepalive 16;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://minaret;
      proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_header;
      proxy_set_header Host $host;
    }
  }
}
`

/** Where haproxy says what it knows about each process, as comma-separated values. */
export const STATISTICS = '/haproxy;csv'

const haproxyConfiguration = (port: number, ports: readonly number[]): string => `
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 60s
  retries 2
  option redispatch
frontend in
  bind 127.0.0.1:${port}
  stats enable
  stats uri /haproxy
  default_backend minaret
backend minaret
  option httpchk GET /readyz
  http-check expect status 200
  default-server inter 200ms fall 3 rise 1
  ${ports.map((one, index) => `server minaret${index} 127.0.0.1:${one} check`).join('\n  ')}
`

export const startNginx = async (folder: string, ports: readonly number[]): Promise<Program> => {
  const port = await freePort()
  mkdirSync(folder)
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, nginxConfiguration(folder, port, ports))
  return startProgram('/usr/sbin/nginx', ['-e', join(folder, 'error.log'), '-p', folder, '-c', file], port)
}

export const startHaproxy = async (folder: string, ports: readonly number[]): Promise<Program> => {
  const port = await freePort()
  mkdirSync(folder)
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, haproxyConfiguration(port, ports))
  return startProgram('/usr/sbin/haproxy', ['-db', '-f', file], port)
}
