package lottery.security;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.InstantSource;
import lottery.security.TokenDecoder.IssuerUnavailableException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The decoder of tokens")
class TokenDecoderTest {

    @Test
    @DisplayName("calls no token bad while the issuer is away.")
    void issuerAway() {
        TokenDecoder decoder = new TokenDecoder("http://127.0.0.1:1", null, InstantSource.system());
        String token = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl";
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> decoder.decode(token)).isInstanceOf(IssuerUnavailableException.class);
        }
    }
}
