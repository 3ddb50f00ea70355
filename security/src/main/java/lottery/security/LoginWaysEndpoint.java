package lottery.security;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.core.env.Environment;
import org.springframework.http.MediaType;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Returns over REST how users can log in, for the pages. */
@RestController
@Tag(name = "Session")
class LoginWaysEndpoint {

    /**
     * The ways in which callers can log in.
     *
     * @param password whether login with name and password is possible, by {@code POST /api/v1/session}
     * @param phone whether login with a code sent to a phone is possible
     * @param token whether bearer tokens are accepted
     * @param gateway whether a gateway in front of the lottery authenticates callers, and the lottery does not
     * @param demoUsers users whose password is their name; empty, unless the lottery has embedded servers
     */
    record LoginWays(boolean password, boolean phone, boolean token, boolean gateway, List<DemoUser> demoUsers) {}

    record DemoUser(String name, List<String> roles) {}

    private final LoginWays ways;

    LoginWaysEndpoint(Environment environment) {
        AuthenticationMode mode = AuthenticationSettingsStartCheck.mode(environment);
        boolean hasAccounts = AuthenticationSettingsStartCheck.hasAccounts(environment);
        boolean isDemo = mode == AuthenticationMode.DEMO;
        ways = new LoginWays(
                hasAccounts,
                hasAccounts && (isDemo || StringUtils.hasText(environment.getProperty("lottery.identity.phone-url"))),
                mode == AuthenticationMode.ISSUER
                        && (StringUtils.hasText(environment.getProperty(AuthenticationSettingsStartCheck.ISSUER))
                                || AuthenticationSettingsStartCheck.tokenKey(environment) != null),
                mode == AuthenticationMode.GATEWAY,
                isDemo ? demoUsers() : List.of());
    }

    private static List<DemoUser> demoUsers() {
        Stream<String> staff =
                DemoAuthenticationProvider.STAFF.stream().map(CallerRole::word).sorted();
        return Stream.concat(DemoAuthenticationProvider.PLAYERS.stream(), staff)
                .map(name -> new DemoUser(
                        name, List.of(DemoAuthenticationProvider.roleOf(name).word())))
                .toList();
    }

    @Operation(summary = "Read in which ways people can log in", description = """
                    Returns what a login page must ask for: a password, a phone or a token. A trial lottery, which was
                    started with embedded servers, also returns user names to try; each user's password is the name.""")
    @GetMapping(path = "/api/v1/session/ways", produces = MediaType.APPLICATION_JSON_VALUE)
    LoginWays readLoginWays() {
        return ways;
    }
}
