/** The contract names tokens. Callers of the demo send a name and a password instead. */
function forDemo(contract) {
    contract.components.securitySchemes = {
        basic: {
            type: 'http',
            scheme: 'basic',
            description: 'The password equals the name. The name of a role has that role. Other names are players.',
        },
    };
    for (const operation of Object.values(contract.paths).flatMap(Object.values)) {
        operation.security = operation.security.map(() => ({ basic: [] }));
    }
    return contract;
}

window.onload = async () => {
    const answer = await fetch('/v3/api-docs');
    if (!answer.ok) {
        document.body.textContent = `The contract was not answered: ${answer.status}`;
        return;
    }
    const contract = await answer.json();
    window.ui = SwaggerUIBundle({
        spec: forDemo(contract),
        dom_id: '#swagger-ui',
        deepLinking: true,
        docExpansion: 'none',
        operationsSorter: 'alpha',
        tagsSorter: 'alpha',
        tryItOutEnabled: true,
        presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
        layout: 'StandaloneLayout',
    });
};
