package lottery.identity;

import java.util.List;

/**
 * The account of a person or a system that logs in here. The name of a player's account is the id of the user.
 *
 * @param roles the words for the account's roles, see {@link lottery.security.CallerRole}
 * @param isLocked whether the account is locked; a locked account cannot log in, and its sessions have ended
 * @param sessionVersion the version of valid sessions; sessions of another version have ended
 */
record LoginAccount(String name, List<String> roles, boolean isLocked, int sessionVersion) {

    LoginAccount {
        roles = List.copyOf(roles);
    }
}
