package lottery.app.identity;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.Collection;
import java.util.List;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.app.security.RateLimitAddress;
import lottery.store.trace.Actor;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Lets callers log in and out over REST. */
@RestController
@Tag(name = "Session", description = "Logins and logouts, where the lottery has accounts of its own.")
@RequestMapping(path = "/api/v1/session", produces = MediaType.APPLICATION_JSON_VALUE)
class SessionEndpoint {

    static final String NAME = "[^\\x00-\\x1f\\x7f]{1,200}";
    static final String PHONE = "\\+[1-9][0-9]{6,14}";
    static final int PASSWORD_LENGTH_MAX = 200;

    record LoginRequest(
            @NotNull @Pattern(regexp = NAME) String name,
            @NotNull @Size(max = PASSWORD_LENGTH_MAX) String password) {

        @Override
        public String toString() {
            return "LoginRequest[" + name + "]";
        }
    }

    record PhoneCodeRequest(
            @NotNull @Pattern(regexp = PHONE) String phone) {}

    record PhoneLoginRequest(
            @NotNull @Pattern(regexp = PHONE) String phone,
            @NotNull @Pattern(regexp = "[0-9]{6}") String code) {}

    record PasswordChange(
            @NotNull @Size(max = PASSWORD_LENGTH_MAX) String password,
            @NotNull @Size(max = PASSWORD_LENGTH_MAX) String newPassword) {

        @Override
        public String toString() {
            return "PasswordChange[]";
        }
    }

    /**
     * An authenticated caller.
     *
     * @param csrfToken the value for the header X-XSRF-TOKEN, which each request with a session cookie needs if it
     *     changes something
     */
    record Login(String name, List<String> roles, String csrfToken) {}

    private final PasswordLogin passwords;
    private final PhoneLogin phones;
    private final AccountSessions sessions;

    SessionEndpoint(PasswordLogin passwords, PhoneLogin phones, AccountSessions sessions) {
        this.passwords = passwords;
        this.phones = phones;
        this.sessions = sessions;
    }

    @Operation(summary = "Log in by name and password", description = """
                    Begins a session, and sets its cookie. The answer is LOGIN_FAILED for a wrong name, a wrong
                    password, and a password that comes after five tries in vain and before their wait is over. A
                    session that the caller had before ends.""")
    @PostMapping
    Login logIn(@Valid @RequestBody LoginRequest form, HttpServletRequest request) {
        return begin(passwords.logIn(form.name(), form.password(), RateLimitAddress.of(request)), request);
    }

    @Operation(summary = "Send a code to a phone", description = """
                    Sends six digits, which are valid for two minutes and five tries. A phone gets one code a
                    minute. The answer does not say whether the phone has an account. Without a system that sends
                    codes, the answer is NOT_FOUND.""")
    @PostMapping("/phone-codes")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void sendPhoneCode(@Valid @RequestBody PhoneCodeRequest form, HttpServletRequest request) {
        phones.sendCode(form.phone(), RateLimitAddress.of(request));
    }

    @Operation(summary = "Log in by a code that was sent to a phone", description = """
                    Begins a session of the player with this phone. The first login of a phone makes an account,
                    whose name is the user id. A code counts once.""")
    @PostMapping("/phone")
    Login logInByPhone(@Valid @RequestBody PhoneLoginRequest form, HttpServletRequest request) {
        return begin(phones.logIn(form.phone(), form.code(), RateLimitAddress.of(request)), request);
    }

    @Operation(summary = "Set another password of one's own", description = """
                    Needs the present password, and ends all sessions of the account but the one that begins with
                    the answer. A password has 10 characters at least and 72 bytes at most.""")
    @PostMapping("/password")
    Login changePassword(@Valid @RequestBody PasswordChange form, HttpServletRequest request) {
        Actor actor = actor();
        return begin(
                passwords.change(actor.name(), form.password(), form.newPassword(), RateLimitAddress.of(request)),
                request);
    }

    @Operation(summary = "Read who the caller is", description = """
                    Answers the name and the roles, and the value that each change by session sends in the header
                    X-XSRF-TOKEN. It also works for callers with a token.""")
    @GetMapping
    Login readSession(HttpServletRequest request) {
        Actor actor = actor();
        return login(actor.name(), actor.roles(), request);
    }

    @Operation(summary = "Log out", description = """
                    Ends the session of the cookie. Tokens stay valid until they end.""")
    @DeleteMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void logOut(HttpServletRequest request) {
        sessions.end(request);
    }

    private Login begin(LoginAccount account, HttpServletRequest request) {
        sessions.begin(account, request);
        return login(account.name(), account.roles(), request);
    }

    private static Login login(String name, Collection<String> roles, HttpServletRequest request) {
        CsrfToken token = (CsrfToken) request.getAttribute(CsrfToken.class.getName());
        return new Login(name, roles.stream().sorted().toList(), token.getToken());
    }

    private static Actor actor() {
        return Actor.current().orElseThrow(() -> new RefusedException(Refusal.UNAUTHENTICATED, "session"));
    }
}
