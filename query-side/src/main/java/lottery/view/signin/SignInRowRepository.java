package lottery.view.signin;

import java.util.List;
import org.springframework.data.repository.Repository;

interface SignInRowRepository extends Repository<SignInRow, SignInMonthKey> {

    List<SignInRow> findByKeyUserId(String userId);
}
