// Shows /openapi.json for people: routes, parameters, bodies and answers.
'use strict';

const element = (name, text, children = []) => {
  const e = document.createElement(name);
  if (text) e.textContent = text;
  e.append(...children);
  return e;
};

const resolve = (doc, node) => {
  for (let depth = 0; node && node.$ref && depth < 8; depth++) {
    node = node.$ref.slice(2).split('/').reduce((at, key) => at && at[key.replaceAll('~1', '/').replaceAll('~0', '~')], doc);
  }
  return node || {};
};

const typeName = (doc, schema) => {
  if (!schema) return '';
  if (schema.$ref) return schema.$ref.split('/').pop();
  if (schema.type === 'array') return `list of ${typeName(doc, schema.items)}`;
  return [schema.type, schema.format].filter(Boolean).join(' ');
};

const fieldsTable = (doc, schema, depth = 0) => {
  const whole = resolve(doc, schema);
  const rows = Object.entries(whole.properties || {}).map(([name, field]) => {
    const inner = field.type === 'array' ? field.items : field;
    const target = resolve(doc, inner);
    const cell = element('td', field.description || target.description || '');
    if (depth < 3 && target.properties) {
      cell.append(element('details', '', [element('summary', typeName(doc, field)), fieldsTable(doc, inner, depth + 1)]));
    }
    return element('tr', '', [element('td', '', [element('code', name)]), element('td', typeName(doc, field)), cell]);
  });
  return element('table', '', [element('tbody', '', rows)]);
};

const jsonSchema = (content) => content && (content['application/json'] || Object.values(content)[0] || {}).schema;

const route = (doc, path, method, operation) => {
  const summary = element('summary', '');
  const verb = element('span', method.toUpperCase());
  verb.className = 'method';
  summary.append(verb, element('code', path));
  const box = element('details', '', [summary, element('p', [operation.summary, operation.description].filter(Boolean).join(' '))]);
  const parameters = (operation.parameters || []).map((p) => resolve(doc, p));
  if (parameters.length > 0) {
    box.append(element('h3', 'Parameters'), element('table', '', [element('tbody', '', parameters.map((p) => element('tr', '', [
      element('td', '', [element('code', p.name)]),
      element('td', `${p.in}${p.required ? ', required' : ''}`),
      element('td', p.description || ''),
    ])))]));
  }
  const body = operation.requestBody && jsonSchema(resolve(doc, operation.requestBody).content);
  if (body) box.append(element('h3', 'Body'), fieldsTable(doc, body));
  for (const [status, answer] of Object.entries(operation.responses || {})) {
    const whole = resolve(doc, answer);
    box.append(element('h3', `${status}: ${whole.description || ''}`));
    const schema = jsonSchema(whole.content);
    if (schema && status !== 'default') box.append(fieldsTable(doc, schema));
  }
  return box;
};

fetch('/openapi.json').then((r) => r.json()).then((doc) => {
  const routes = Object.entries(doc.paths).flatMap(([path, methods]) =>
    Object.entries(methods).filter(([m]) => ['get', 'post', 'put', 'patch', 'delete'].includes(m))
      .map(([method, operation]) => route(doc, path, method, operation)));
  document.getElementById('routes').replaceChildren(...routes);
}, () => {
  document.getElementById('routes').replaceChildren(element('p', 'The document could not be read; load the page again.'));
});
