package lottery.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;

/** Issues tokens, and publishes its keys as OpenID Connect says. */
final class TokenIssuer implements AutoCloseable {

    private static final Duration LASTS = Duration.ofMinutes(10);

    private final HttpServer server;
    private final ECKey key = freshKey();

    TokenIssuer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
        publish("/.well-known/openid-configuration", """
                {"issuer": "%s", "jwks_uri": "%s/keys"}""".formatted(address(), address()));
        publish("/keys", new JWKSet(key.toPublicJWK()).toString());
        server.start();
    }

    private void publish(String path, String document) {
        byte[] bytes = document.getBytes(UTF_8);
        server.createContext(path, exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }

    private static ECKey freshKey() {
        try {
            return new ECKeyGenerator(Curve.P_256)
                    .keyUse(KeyUse.SIGNATURE)
                    .algorithm(JWSAlgorithm.ES256)
                    .keyID("key-1")
                    .generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    JWTClaimsSet.Builder claims(String subject, String... roles) {
        return new JWTClaimsSet.Builder()
                .issuer(address())
                .audience("lottery")
                .subject(subject)
                .claim("lottery_roles", List.of(roles))
                .expirationTime(Date.from(Instant.now().plus(LASTS)));
    }

    String token(String subject, String... roles) {
        return signed(claims(subject, roles).build());
    }

    String signed(JWTClaimsSet claims) {
        return signed(claims, key);
    }

    /** A token that says it was signed with the key of this issuer, and was not. */
    String forged(JWTClaimsSet claims) {
        return signed(claims, freshKey());
    }

    static String unsigned(JWTClaimsSet claims) {
        return new PlainJWT(claims).serialize();
    }

    private static String signed(JWTClaimsSet claims, ECKey key) {
        try {
            SignedJWT token = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.ES256)
                            .keyID(key.getKeyID())
                            .build(),
                    claims);
            token.sign(new ECDSASigner(key));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
