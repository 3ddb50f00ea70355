package lottery.app.identity;

import java.util.List;

/**
 * A person or a system that logs in here. The name of a player is the id of the user.
 *
 * @param roles their words, see {@link lottery.app.security.CallerRole}
 * @param isLocked it cannot log in, and its sessions have ended
 * @param sessionVersion sessions of another version have ended
 */
record LoginAccount(String name, List<String> roles, boolean isLocked, int sessionVersion) {

    LoginAccount {
        roles = List.copyOf(roles);
    }
}
