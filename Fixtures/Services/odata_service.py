"""Serves a database of Chinook by the in-memory reference processor of odatapy.

    python3 odata_service.py DATABASE METADATA [PAGE_SIZE]

Prints the port on a line of its own, and ends when its standard input ends.
"""

import datetime
import decimal
import os
import socketserver
import sqlite3
import sys
import threading
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from odatapy.data import Entity, ValueType
from odatapy.edm.csdl import CsdlAbstractEdmProvider
from odatapy.edm.xml_io import parse_metadata
from odatapy.server import OData
from odatapy.server.adapters import ODataWSGIApp
from odatapy.server.inmemory import InMemoryDataStore, InMemoryProcessor


class Provider(CsdlAbstractEdmProvider):
    def __init__(self, schemas):
        self.schemas = schemas

    def get_schemas(self):
        return self.schemas


class Server(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Silent(WSGIRequestHandler):
    def log_message(self, *arguments):
        pass


def value(stored, type_name):
    if stored is None:
        return None
    if type_name == "Edm.Decimal":
        return decimal.Decimal(str(stored)).quantize(decimal.Decimal("0.01"))
    if type_name == "Edm.DateTimeOffset":
        return datetime.datetime.fromisoformat(stored).replace(tzinfo=datetime.timezone.utc)
    return stored


def fill(store, schema, database):
    """Reads the tables, and links objects by their foreign keys."""
    types = {entity_type.name: entity_type for entity_type in schema.entity_types}
    sets = {s.type.split(".")[-1]: s.name for s in schema.entity_container.entity_sets}
    found = {}
    for name, entity_type in types.items():
        properties = entity_type.properties
        columns = ", ".join(p.name for p in properties)
        keys = [reference.name for reference in entity_type.key]
        for row in database.execute(f"SELECT {columns} FROM {name} ORDER BY {', '.join(keys)}"):
            entity = Entity(type=f"{schema.namespace}.{name}")
            entity.etag = 'W/"1"'
            for property, stored in zip(properties, row):
                entity.set_property(
                    property.name, value(stored, property.type), ValueType.PRIMITIVE, property.type)
            found[name, tuple(entity.get_value(k) for k in keys)] = entity
        store.set_entities(sets[name], [e for (n, _), e in found.items() if n == name])
        if len(keys) == 1:
            store.declare_key_auto_generating(sets[name])

    def key_text(name, key):
        if len(key) == 1:
            return str(key[0])
        names = [reference.name for reference in types[name].key]
        return ",".join(f"{n}={k}" for n, k in zip(names, key))

    for (name, key), entity in found.items():
        for navigation in types[name].navigation_properties:
            if navigation.collection or not navigation.referential_constraints:
                continue
            target = navigation.type.split(".")[-1]
            foreign = tuple(
                entity.get_value(c.property) for c in navigation.referential_constraints)
            other = found.get((target, foreign))
            if other is None:
                continue
            store.set_relation(sets[name], key_text(name, key), navigation.name, [other])
            store.add_relation(sets[target], key_text(target, foreign), navigation.partner, entity)


def main():
    path, metadata = sys.argv[1:3]
    with open(metadata, "rb") as file:
        schemas = parse_metadata(file.read())
    odata = OData.new_instance()
    handler = odata.create_handler(odata.create_service_metadata(Provider(schemas)))
    store = InMemoryDataStore()
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        fill(store, schemas[0], database)
    size = int(sys.argv[3]) if len(sys.argv) > 3 else None
    handler.register(InMemoryProcessor(store, page_size=size))
    server = make_server("127.0.0.1", 0, ODataWSGIApp(handler), Server, Silent)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    sys.stdin.read()
    os._exit(0)


main()
