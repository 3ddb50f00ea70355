package lottery.identity;

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
import lottery.security.RateLimitAddress;
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
@Tag(name = "Session", description = "Login and logout with accounts of the lottery's own.")
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
                    Starts a session and sets its cookie. A wrong name or password is refused with LOGIN_FAILED. After
                    five failed attempts there is a waiting time; a password that comes before its end is refused in the
                    same way. An earlier session of the caller ends.""")
    @PostMapping
    Login logIn(@Valid @RequestBody LoginRequest form, HttpServletRequest request) {
        return begin(passwords.logIn(form.name(), form.password(), RateLimitAddress.of(request)), request);
    }

    @Operation(summary = "Send a code to a phone", description = """
                    Sends six digits to a phone. They are valid for two minutes and five attempts. A phone gets one code
                    per minute. The response does not reveal whether the phone has an account. If no system for sending
                    codes is configured, the request is refused with NOT_FOUND.""")
    @PostMapping("/phone-codes")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void sendPhoneCode(@Valid @RequestBody PhoneCodeRequest form, HttpServletRequest request) {
        phones.sendCode(form.phone(), RateLimitAddress.of(request));
    }

    @Operation(summary = "Log in by a code that was sent to a phone", description = """
                    Starts a session of the player with this phone. The first login of a phone creates an account; its
                    name is the user id. Each code can be used once.""")
    @PostMapping("/phone")
    Login logInByPhone(@Valid @RequestBody PhoneLoginRequest form, HttpServletRequest request) {
        return begin(phones.logIn(form.phone(), form.code(), RateLimitAddress.of(request)), request);
    }

    @Operation(summary = "Set another password of one's own", description = """
                    Sets a new password. The request needs the current password. All sessions of the account end, except
                    a new one that starts with the response. A password has at least 10 characters and at most 72 bytes.""")
    @PostMapping("/password")
    Login changePassword(@Valid @RequestBody PasswordChange form, HttpServletRequest request) {
        Actor actor = actor();
        return begin(
                passwords.change(actor.name(), form.password(), form.newPassword(), RateLimitAddress.of(request)),
                request);
    }

    @Operation(summary = "Read who the caller is", description = """
                    Returns the name and the roles of the caller, and the value that the caller must send in the header
                    X-XSRF-TOKEN with each change of this session. It also works for callers with a token.""")
    @GetMapping
    Login readSession(HttpServletRequest request) {
        Actor actor = actor();
        return login(actor.name(), actor.roles(), request);
    }

    @Operation(
            summary = "Log out",
            description = "Ends the session of the cookie. Tokens stay valid until they expire.")
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
