package lottery.security;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import lottery.store.trace.Actor;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/**
 * An authenticated caller.
 *
 * @param awardTypes the types of awards for which it may answer as fulfilment; empty: all types
 */
record Caller(String name, Set<CallerRole> roles, Set<String> awardTypes) {

    private static final String TYPE = ":";

    /** Returns a caller with the roles that the words name. Unknown words are ignored. */
    static Caller of(String name, Collection<String> words) {
        Set<CallerRole> roles = new HashSet<>();
        Set<String> awardTypes = new HashSet<>();
        boolean isForAllTypes = false;
        for (String word : words) {
            int colon = word.indexOf(TYPE);
            CallerRole role =
                    CallerRole.of(colon < 0 ? word : word.substring(0, colon)).orElse(null);
            if (role == CallerRole.FULFILMENT && colon >= 0) {
                awardTypes.add(word.substring(colon + 1));
                roles.add(role);
            } else if (role != null && colon < 0) {
                isForAllTypes |= role == CallerRole.FULFILMENT;
                roles.add(role);
            }
        }
        return new Caller(name, Set.copyOf(roles), isForAllTypes ? Set.of() : Set.copyOf(awardTypes));
    }

    static Caller of(Authentication authentication) {
        return of(
                authentication.getName(),
                authentication.getAuthorities().stream()
                        .map(GrantedAuthority::getAuthority)
                        .toList());
    }

    static Collection<GrantedAuthority> authorities(Collection<String> words) {
        return words.stream()
                .filter(word -> !word.isBlank())
                .map(SimpleGrantedAuthority::new)
                .collect(Collectors.toList());
    }

    Actor in(CallerRole role, boolean ownOnly) {
        Set<String> kinds = role == CallerRole.FULFILMENT ? awardTypes : Set.of();
        return new Actor(
                name,
                role.word(),
                roles.stream().map(CallerRole::word).collect(Collectors.toSet()),
                new Actor.AccessScope(ownOnly, kinds));
    }
}
