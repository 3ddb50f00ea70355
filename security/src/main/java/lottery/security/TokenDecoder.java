package lottery.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jose.jws.MacAlgorithm;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtDecoderInitializationException;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.jwt.SupplierJwtDecoder;
import org.springframework.web.client.RestTemplate;

/**
 * Checks bearer tokens: signature, issuer, audience, subject and times. A valid token is cached for a minute at most,
 * because the check of a signature costs more than all other work for a request before its command.
 */
final class TokenDecoder implements JwtDecoder {

    private static final String AUDIENCE = "lottery";
    private static final Duration CLOCK_SKEW_MAX = Duration.ofSeconds(30);
    private static final Duration REMEMBERED_MAX = Duration.ofMinutes(1);
    private static final Duration ISSUER_WAIT_MAX = Duration.ofSeconds(5);
    private static final int SUBJECT_LENGTH_MAX = 200;
    private static final int TOKENS_MAX = 10_000;

    private final List<JwtDecoder> decoders = new ArrayList<>();
    private final InstantSource clock;

    private final Cache<String, Jwt> valid = Caffeine.newBuilder()
            .maximumSize(TOKENS_MAX)
            .expireAfterWrite(REMEMBERED_MAX)
            .build();

    /**
     * Creates a decoder for the lottery's own tokens and those of the issuer. It requests the issuer's keys only for
     * the first token, so that the lottery can start while the issuer is away.
     *
     * @param issuer the address of the issuer; empty: there is none
     * @param ownKey the key of tokens that the lottery issues itself; null: it issues none
     */
    TokenDecoder(String issuer, @Nullable SecretKey ownKey, InstantSource clock) {
        if (!issuer.isEmpty()) {
            decoders.add(new SupplierJwtDecoder(() -> ofIssuer(issuer)));
        }
        if (ownKey != null) {
            decoders.addFirst(ofOwn(ownKey));
        }
        this.clock = clock;
    }

    private static JwtDecoder ofOwn(SecretKey key) {
        NimbusJwtDecoder decoder = NimbusJwtDecoder.withSecretKey(key)
                .macAlgorithm(MacAlgorithm.HS256)
                .build();
        decoder.setJwtValidator(new DelegatingOAuth2TokenValidator<>(
                List.of(new JwtTimestampValidator(CLOCK_SKEW_MAX), TokenDecoder::requireAudienceSubjectAndEnd)));
        return decoder;
    }

    private static JwtDecoder ofIssuer(String issuer) {
        SimpleClientHttpRequestFactory requests = new SimpleClientHttpRequestFactory();
        requests.setConnectTimeout(ISSUER_WAIT_MAX);
        requests.setReadTimeout(ISSUER_WAIT_MAX);
        NimbusJwtDecoder decoder = NimbusJwtDecoder.withIssuerLocation(issuer)
                .restOperations(new RestTemplate(requests))
                .build();
        decoder.setJwtValidator(new DelegatingOAuth2TokenValidator<>(List.of(
                new JwtTimestampValidator(CLOCK_SKEW_MAX),
                new JwtIssuerValidator(issuer),
                TokenDecoder::requireAudienceSubjectAndEnd)));
        return decoder;
    }

    private static OAuth2TokenValidatorResult requireAudienceSubjectAndEnd(Jwt token) {
        List<String> audience = Objects.requireNonNullElse(token.getAudience(), List.of());
        String subject = Objects.requireNonNullElse(token.getSubject(), "");
        boolean isValid = audience.contains(AUDIENCE) && isName(subject) && token.getExpiresAt() != null;
        return isValid
                ? OAuth2TokenValidatorResult.success()
                : OAuth2TokenValidatorResult.failure(new OAuth2Error(OAuth2ErrorCodes.INVALID_TOKEN));
    }

    /**
     * Returns whether a subject can be a caller's name. It must not be too long or have control characters, because
     * names are stored with events and searched in lists.
     */
    private static boolean isName(String subject) {
        return !subject.isBlank()
                && subject.length() <= SUBJECT_LENGTH_MAX
                && subject.codePoints().noneMatch(Character::isISOControl);
    }

    @Override
    public Jwt decode(String token) {
        @Nullable Jwt known = valid.getIfPresent(token);
        if (known != null && isFresh(known)) {
            return known;
        }
        Jwt decoded = decodeNew(token);
        valid.put(token, decoded);
        return decoded;
    }

    /** Returns whether a token was recently found valid. */
    boolean knows(String token) {
        Jwt known = valid.getIfPresent(token);
        return known != null && isFresh(known);
    }

    private Jwt decodeNew(String token) {
        BadJwtException invalid = new BadJwtException("nobody gives such tokens");
        for (JwtDecoder decoder : decoders) {
            try {
                return decoder.decode(token);
            } catch (BadJwtException notByThis) {
                invalid = notByThis;
            } catch (JwtException | JwtDecoderInitializationException away) {
                throw new IssuerUnavailableException(away);
            }
        }
        throw invalid;
    }

    /** Thrown if the issuer's keys cannot be loaded now, so that it is unknown whether a token is valid. */
    static final class IssuerUnavailableException extends AuthenticationException {

        IssuerUnavailableException(Throwable cause) {
            super("the issuer of tokens does not answer", cause);
        }
    }

    private boolean isFresh(Jwt token) {
        @Nullable Instant expiry = token.getExpiresAt();
        return expiry != null && clock.instant().isBefore(expiry.plus(CLOCK_SKEW_MAX));
    }
}
