package lottery.view.credit;

import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

interface EntryRows extends Repository<EntryRow, EntryKey> {

    @Query("""
            select line from EntryRow line
            where line.key.userId = :userId and line.key.entry < :before
            order by line.key.entry desc""")
    List<EntryRow> newestBefore(String userId, long before, Limit limit);
}
