/** Address and key of a Skillrun server. */
class SkillrunApi {
  name = 'skillrunApi'
  displayName = 'Skillrun API'
  /** @type {import('n8n-workflow').INodeProperties[]} */
  properties = [
    { displayName: 'URL', name: 'url', type: 'string', default: 'http://127.0.0.1:8080', required: true },
    {
      displayName: 'API Key',
      name: 'key',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
    },
  ]
  /** @type {import('n8n-workflow').IAuthenticateGeneric} */
  authenticate = { type: 'generic', properties: { headers: { Authorization: '=Bearer {{$credentials.key}}' } } }
  /** @type {import('n8n-workflow').ICredentialTestRequest} */
  test = {
    request: { baseURL: '={{$credentials.url.replace(/\\/+$/, "").replace(/\\/v1$/, "")}}', url: '/v1/health' },
  }
}

module.exports = { SkillrunApi }
