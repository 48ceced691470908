import ObjectModel
import SQLQueries

/// A column of a database that a known program made.
struct KnownColumn: Hashable {
  /// The program, as "Safari's history".
  let program: String
  /// The clocks that it has used, the present one first; empty for a number that is no date.
  let encodings: [ValueEncoding]
}

/// The programs whose tables a database has.
struct KnownPrograms {
  private let columns: [String: KnownColumn]

  init(tables: [Catalog.Table], applicationID: Int64) {
    var columnsByTable: [String: Set<String>] = [:]
    for table in tables {
      columnsByTable[table.name.lowercased()] = Set(table.columns.map { $0.name.lowercased() })
    }
    columns = KnownProgram.all.reduce(into: [:]) { columns, program in
      guard program.made(columnsByTable, applicationID: applicationID) else { return }
      columns.merge(program.columns) { first, _ in first }
    }
  }

  /// How a program writes a column; nil for a column of none.
  func column(_ name: String, of table: String) -> KnownColumn? {
    columns.isEmpty ? nil : columns["\(table.lowercased()).\(name.lowercased())"]
  }
}

/// A program by the tables and columns that only it has, or by the number that marks its files.
private struct KnownProgram {
  let applicationID: Int64?
  let signature: [(table: String, columns: Set<String>)]
  let columns: [String: KnownColumn]

  func made(_ columnsByTable: [String: Set<String>], applicationID: Int64) -> Bool {
    if let own = self.applicationID, own == applicationID { return true }
    return !signature.isEmpty
      && signature.allSatisfy { columnsByTable[$0.table]?.isSuperset(of: $0.columns) ?? false }
  }

  /// Reads a line of ``text``: `name; signature; columns = kinds; …`.
  init(_ line: Substring) {
    let parts = line.split(separator: ";").map(Self.words)
    let program = (parts.first ?? []).joined(separator: " ")
    var applicationID: Int64?
    var signature: [(table: String, columns: Set<String>)] = []
    for word in parts.dropFirst().first ?? [] {
      let pieces = word.lowercased().split(separator: ".", maxSplits: 1).map(String.init)
      if let number = Int64(word) {
        applicationID = number
      } else if pieces.count == 2 {
        signature.append(
          (pieces[0], Set(pieces[1].split(separator: ",").map(String.init))))
      }
    }
    var columns: [String: KnownColumn] = [:]
    for part in parts.dropFirst(2) {
      let names = part.prefix { $0 != "=" }
      let encodings = part.dropFirst(names.count + 1)
        .compactMap { ColumnKind(rawValue: $0)?.dateEncoding }
      for name in names {
        let pieces = name.lowercased().split(separator: ".", maxSplits: 1).map(String.init)
        guard pieces.count == 2 else { continue }
        for column in pieces[1].split(separator: ",") {
          columns["\(pieces[0]).\(column)"] = KnownColumn(program: program, encodings: encodings)
        }
      }
    }
    (self.applicationID, self.signature, self.columns) = (applicationID, signature, columns)
  }

  private static func words(_ text: Substring) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  static let all = text.split(separator: "\n").map(KnownProgram.init)

  /// Only what evidence cannot find: an epoch that values alone leave open, a date without a name,
  /// a number that has one, a table that may be empty.
  private static let text = """
    Safari; history_visits.history_item,visit_time history_items.url; history_visits.visit_time history_tombstones.start_time,end_time = date2001
    Messages; message.guid,is_from_me,date chat.chat_identifier; message.date,date_read,date_delivered,date_played,date_edited,date_retracted,date_recovered = date2001ns date2001; chat_message_join.message_date = date2001ns date2001; chat.last_read_message_timestamp = date2001ns date2001; attachment.created_date,start_date = date2001
    Health; samples.data_id,start_date,end_date,data_type; samples.start_date,end_date = date2001; objects.creation_date data_provenances.creation_date = date2001
    Calendar; calendaritem.start_date,end_date,calendar_id; calendaritem.start_date,end_date,creation_date,last_modified,completion_date,due_date,orig_date = date2001; occurrencecache.day,occurrence_date,occurrence_start_date,occurrence_end_date = date2001
    Contacts; abperson.first,last,creationdate; abperson.creationdate,modificationdate,birthday = date2001
    Photos; rkversion.imagedate,uuid; rkversion.imagedate,createdate,lastmodifieddate = date2001
    Apple Mail; messages.date_sent,date_received,mailbox,remote_id; messages.date_sent,date_received,display_date,date_created,date_last_viewed = date1970
    Lightroom; adobe_images.capturetime aglibraryfile.importhash,idx_filename; aglibraryfile.modtime,externalmodtime = date2001; adobe_images.touchtime = date2001
    Chromium; urls.url,visit_count,last_visit_time visits.visit_time,from_visit; urls.last_visit_time visits.visit_time downloads.start_time,end_time,last_access_time segment_usage.time_slot = webkit; visits.visit_duration =
    Chromium; cookies.host_key,expires_utc; cookies.creation_utc,expires_utc,last_access_utc,last_update_utc = webkit
    Chromium; logins.origin_url,password_value; logins.date_created,date_last_used,date_password_modified,date_received,date_synced = webkit
    Chromium; autofill.name,value_lower; autofill.date_created,date_last_used = date1970; keywords.date_created,last_modified,last_visited = webkit
    Firefox; moz_places.url,rev_host,frecency; moz_places.last_visit_date moz_historyvisits.visit_date moz_bookmarks.dateadded,lastmodified moz_annos.dateadded,lastmodified = date1970us
    Firefox; moz_cookies.host,expiry; moz_cookies.expiry = date1970 date1970ms; moz_cookies.lastaccessed,creationtime,updatetime = date1970us
    Firefox; moz_formhistory.fieldname,timesused; moz_formhistory.firstused,lastused = date1970us
    Thunderbird; cal_events.cal_id,event_start; cal_events.event_start,event_end,time_created,last_modified cal_todos.todo_entry,todo_due,todo_completed = date1970us
    WhatsApp; message.chat_row_id,key_id,timestamp; message.timestamp,received_timestamp,receipt_server_timestamp = date1970ms; message.sort_id =; chat.created_timestamp,sort_timestamp = date1970ms
    Signal; message.date_sent,date_received,thread_id; message.date_sent,date_received,date_server,expire_started = date1970ms; thread.date = date1970ms
    Signal; messages.sent_at,received_at,conversationid,json; messages.sent_at,received_at_ms,serverTimestamp,expirationStartTimestamp = date1970ms; messages.received_at =
    Telegram; messages_v2.mid,uid,date; messages_v2.date dialogs.date = date1970
    Android's messages; sms.address,date,date_sent,body; sms.date,date_sent = date1970ms; pdu.date,date_sent = date1970; threads.date = date1970ms
    Android's calendar; events.dtstart,dtend,rrule; events.dtstart,dtend,lastdate = date1970ms; instances.begin,end = date1970ms; instances.startday,endday,startminute,endminute =
    Anki; revlog.cid,ivl,factor cards.nid,due; notes.mod cards.mod = date1970; col.crt = date1970; col.mod,scm,ls = date1970ms; cards.due,ivl revlog.time =
    Shotwell; phototable.exposure_time,time_created; phototable.timestamp,exposure_time,time_created = date1970
    Banshee; coretracks.dateaddedstamp,lastplayedstamp; coretracks.dateaddedstamp,lastplayedstamp = date1970
    AntennaPod; feeditems.pubdate,feed; feeditems.pubdate = date1970ms; feedmedia.last_played_time,playback_completion_date = date1970ms; feedmedia.duration,position,played_duration =
    Fossil; 252006673 event.mtime,objid,bgcolor; event.mtime,omtime = julian; ticket.tkt_mtime,tkt_ctime = julian
    """
}
