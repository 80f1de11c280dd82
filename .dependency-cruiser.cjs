const { rooms } = require('./scripts/rooms.cjs')

const inRooms = names => `^src/(${names.join('|')})/`

module.exports = {
  forbidden: [
    { name: 'no-sql-in-routes', severity: 'error', comment: 'Routes and pages call rules; the rules hold the SQL.', from: { path: '^src/(site|api|http)/' }, to: { path: '^src/db/sql\\.ts' } },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'relay-is-a-view', severity: 'error', comment: 'Relay’s view is made of plans and their SQL, which know connections but not the view.', from: { path: '^src/graphql/(plan|compile)/' }, to: { path: '^src/graphql/(relay|entrance|live|write)/' } },
    { name: 'no-room-without-a-place', severity: 'error', comment: 'Give the folder its place in scripts/rooms.cjs.', from: { path: '^src/', pathNot: [inRooms(rooms), '^src/main\\.ts$'] }, to: {} },
    { name: 'runs-without-tools', severity: 'error', comment: '`npm start` installs no packages of development.', from: { path: '^src/' }, to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: 'node_modules/@types/' } },
    ...rooms.map((room, index) => ({
      name: `${room}-imports-downward`,
      severity: 'error',
      from: { path: inRooms([room]) },
      to: { path: '^src/', pathNot: inRooms(rooms.slice(0, index + 1)) },
    })),
  ],
  options: { parser: 'swc', tsPreCompilationDeps: true, doNotFollow: { path: 'node_modules' }, exclude: { path: '\\.test\\.ts$' }, enhancedResolveOptions: { extensions: ['.ts', '.mjs', '.js'] } },
}
